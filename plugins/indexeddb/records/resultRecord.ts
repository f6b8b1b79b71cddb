import type { StoredResult } from 'holdfast';
import { isMeta, isRecord } from '../../shared/guards.ts';
import type { DiskResult, Refs, OnUnreadable } from './records.ts';
import { decodeRefs, encodeRefs, TableNames, type RefsCode } from './refsCode.ts';

/** An encoded result, in the log and in the store of results. */
export interface ResultRecord extends Omit<StoredResult, 'error'> {
  readonly key: string;
  /** The table names that `refs` points to. */
  readonly names: readonly string[];
  /** If the value is a list of pks of one table: the index of that table's name. */
  readonly refs: RefsCode | number;
}

/** Encodes a result. */
export function encodeResult(result: DiskResult): ResultRecord {
  const names = new TableNames();
  const list = listedTable(result);
  const refs = list === undefined ? encodeRefs(result.refs, names) : names.indexOf(list);
  return { ...result, names: names.list, refs };
}

/** `decodeResult` for a record that may be missing. */
export function decodeFound(key: string, found: unknown, unreadable: OnUnreadable): DiskResult | undefined {
  return found === undefined ? undefined : decodeResult(found, `result ${JSON.stringify(key)}`, unreadable);
}

/**
 * Decodes a result; undefined, and reported, if it is invalid.
 *
 * @param where - the record's name for `unreadable`
 */
export function decodeResult(
  record: unknown,
  where: string,
  unreadable: OnUnreadable,
): DiskResult | undefined {
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

/** The table whose rows the value lists, if it is only a list of pks. */
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

/** The result as it is in memory. */
export function storedResult({
  key: _key,
  refs: _refs,
  readAt: _readAt,
  ...result
}: DiskResult): StoredResult {
  return result;
}
