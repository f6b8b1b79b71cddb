import type { StoredResult } from 'holdfast';
import { isMeta, isRecord } from './metaShape.ts';
import type { DiskResult, Unreadable } from './records.ts';
import { decodeRefs, encodeRefs, Names, type RefsCode } from './refsCode.ts';

/** A result as the log and the store of results hold it. */
export interface ResultRecord extends Omit<StoredResult, 'error'> {
  readonly key: string;
  /** The table names that `refs` points to. */
  readonly names: readonly string[];
  readonly refs: RefsCode;
}

export function encodeResult(result: DiskResult): ResultRecord {
  const names = new Names();
  const refs = encodeRefs(result.refs, names);
  return { ...result, names: names.list, refs };
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
    const refs = decodeRefs(record.refs, record.names);
    const { key, value, meta, shape, invalidated, readAt } = record;
    if (refs !== undefined) {
      return {
        ...{ key, value, meta, refs },
        ...(typeof shape === 'string' ? { shape } : {}),
        ...(invalidated === true ? { invalidated } : {}),
        ...(typeof readAt === 'number' ? { readAt } : {}),
      };
    }
  }
  unreadable(where);
  return undefined;
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
