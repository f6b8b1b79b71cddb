import { NO_REFS, type Refs } from './records.ts';

/** References with indexes of table names instead of the names. */
export type RefsCode = readonly (number | string)[];

const NO_REFS_CODE: RefsCode = [];

/** The distinct table names of one record. */
export class TableNames {
  readonly list: string[] = [];
  readonly #indexes = new Map<string, number>();

  /** The index of a name, which is added if it is new. */
  indexOf(name: string): number {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = this.list.push(name) - 1;
      this.#indexes.set(name, index);
    }
    return index;
  }
}

/**
 * Encodes references.
 *
 * @param names - the record's table names; new ones are added
 */
export function encodeRefs(refs: Refs, names: TableNames): RefsCode {
  if (refs.length === 0) return NO_REFS_CODE;
  return refs.map((part, index) => (index % 2 === 0 ? names.indexOf(part) : part));
}

/** Decodes references; undefined if they are invalid. */
export function decodeRefs(code: unknown, names: readonly unknown[]): Refs | undefined {
  if (!Array.isArray(code) || code.length % 2 !== 0) return undefined;
  if (code.length === 0) return NO_REFS;
  const refs: string[] = [];
  for (let index = 0; index < code.length; index += 2) {
    const table: unknown = names[code[index] as number]; // any other key gives no string, which is checked next
    const pk: unknown = code[index + 1];
    if (typeof table !== 'string' || typeof pk !== 'string') return undefined;
    refs.push(table, pk);
  }
  return refs;
}
