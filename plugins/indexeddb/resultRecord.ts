import type { Meta } from 'holdfast';
import { isMeta, isRecord } from './metaShape.ts';
import type { DiskResult, Unreadable } from './records.ts';
import { decodeRefs, encodeRefs, Names, type RefsCode } from './refsCode.ts';

/** A result as the log and the store of results hold it. */
export interface ResultRecord {
  readonly key: string;
  readonly value: unknown;
  readonly meta: Meta;
  /** The table names that `refs` points to. */
  readonly names: readonly string[];
  readonly refs: RefsCode;
  readonly invalidated?: true;
}

export function encodeResult({ key, value, meta, refs, invalidated }: DiskResult): ResultRecord {
  const names = new Names();
  const code = encodeRefs(refs, names);
  const record = { key, value, meta, names: names.list, refs: code };
  return invalidated === true ? { ...record, invalidated } : record;
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
    const { key, value, meta, invalidated } = record;
    if (refs !== undefined)
      return invalidated === true ? { key, value, meta, refs, invalidated } : { key, value, meta, refs };
  }
  unreadable(where);
  return undefined;
}
