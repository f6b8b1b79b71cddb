import { NO_REFS, type Refs } from './records.ts';

/** References with the places of table names in a list instead of the names, which would be written out each time. */
export type RefsCode = readonly (number | string)[];

const NO_REFS_CODE: RefsCode = [];

/** The table names of one record on disk, each once. */
export class Names {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  /** The place of a name, which is added where it is new. */
  place(name: string): number {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.list.push(name) - 1;
      this.#places.set(name, place);
    }
    return place;
  }
}

/**
 * References as a record holds them.
 *
 * @param names - the table names of the record, which those of these references are added to
 */
export function encodeRefs(refs: Refs, names: Names): RefsCode {
  if (refs.length === 0) return NO_REFS_CODE;
  return refs.map((part, index) => (index % 2 === 0 ? names.place(part) : part));
}

/** The references of what was read; undefined when they are not of our shape. */
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
