import type { StoredResult } from 'holdfast';
import { isMeta, isRecord } from './metaShape.ts';
import type { DiskResult, Refs, Unreadable } from './records.ts';
import { decodeRefs, encodeRefs, Names, type RefsCode } from './refsCode.ts';

/** A result as the log and the store of results hold it. */
export interface ResultRecord extends Omit<StoredResult, 'error'> {
  readonly key: string;
  /** The table names that `refs` points to. */
  readonly names: readonly string[];
  /** Where the value is the list of the pks that it names, all of one table: the place of that table's name. */
  readonly refs: RefsCode | number;
}

/** A result as it lies on disk. */
export function encodeResult(result: DiskResult): ResultRecord {
  const names = new Names();
  const list = listedTable(result);
  const refs = list === undefined ? encodeRefs(result.refs, names) : names.place(list);
  return { ...result, names: names.list, refs };
}

/** `decodeResult` of what was found under the key of a result, which may be nothing. */
export function decodeFound(key: string, found: unknown, unreadable: Unreadable): DiskResult | undefined {
  return found === undefined ? undefined : decodeResult(found, `result ${JSON.stringify(key)}`, unreadable);
}

/**
 * The result of a record as it was read; undefined, and told of, when it is not of our shape.
 *
 * @param where - names the record to `unreadable`
 */
export function decodeResult(record: unknown, where: string, unreadable: Unreadable): DiskResult | undefined {
  if (
    isRecord(record) &&
    typeof record.key === 'string' &&
    isMeta(record.meta) &&
    Array.isArray(record.names)
  ) {
    const refs =
      typeof record.refs === 'number'
        ? listedRefs(record.names[record.refs], record.value)
        : decodeRefs(record.refs, record.names);
    const { key, value, meta, shape, invalidated, readAt } = record;
    if (refs !== undefined) {
      return {
        key,
        value,
        meta,
        refs,
        ...(typeof shape === 'string' ? { shape } : {}),
        ...(invalidated === true ? { invalidated } : {}),
        ...(typeof readAt === 'number' ? { readAt } : {}),
      };
    }
  }
  unreadable(where);
  return undefined;
}

/** The table whose rows the value lists, when it is nothing but that. */
function listedTable({ value, refs }: DiskResult): string | undefined {
  const [table] = refs;
  if (table === undefined || !Array.isArray(value) || refs.length !== 2 * value.length) return undefined;
  for (let index = 0; index < value.length; index++)
    if (refs[2 * index] !== table || refs[2 * index + 1] !== value[index]) return undefined;
  return table;
}

function listedRefs(table: unknown, value: unknown): Refs | undefined {
  if (typeof table !== 'string' || !Array.isArray(value)) return undefined;
  const refs: string[] = [];
  for (const pk of value as unknown[]) {
    if (typeof pk !== 'string') return undefined;
    refs.push(table, pk);
  }
  return refs;
}

/** A result as memory has it. */
export function storedResult({
  key: _key,
  refs: _refs,
  readAt: _readAt,
  ...result
}: DiskResult): StoredResult {
  return result;
}
