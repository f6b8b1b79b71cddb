import { isRecord } from '../../shared/guards.ts';
import type { WriteBatch, Decoding, Reads } from './records.ts';
import { decodeResult, encodeResult, type ResultRecord } from './resultRecord.ts';
import { decodeRows, encodeRows, type RowBlock } from './rowBlock.ts';

/** A log record. */
export interface BatchRecord {
  readonly rows: RowBlock;
  readonly results: readonly ResultRecord[];
  readonly reads?: Reads;
}

/**
 * Encodes a batch as a log record.
 *
 * @param version - the app's version of its rows
 */
export function encodeBatch({ rows, results, reads }: WriteBatch, version: number): BatchRecord {
  const record = { rows: encodeRows(rows, version), results: results.map(encodeResult) };
  return reads === undefined ? record : { ...record, reads };
}

/** Rows per record: cloning a record is one task of the main thread. */
const ROWS_PER_RECORD = 256;

/** Splits a batch into records. */
export function splitBatch({ rows, results, reads = [] }: WriteBatch): WriteBatch[] {
  const parts: WriteBatch[] = [];
  const longest = Math.max(rows.length, results.length, reads.length);
  for (let start = 0; start < longest; start += ROWS_PER_RECORD) {
    const end = start + ROWS_PER_RECORD;
    const part: WriteBatch = { rows: rows.slice(start, end), results: results.slice(start, end) };
    const partReads = reads.slice(start, end);
    parts.push(partReads.length === 0 ? part : { ...part, reads: partReads });
  }
  return parts;
}

/**
 * Decodes a log record; invalid parts are skipped and reported.
 *
 * @param where - the record's name for `unreadable`
 */
export function decodeBatch(record: unknown, where: string, decoding: Decoding): WriteBatch {
  const { unreadable } = decoding;
  if (!isRecord(record) || !Array.isArray(record.results)) {
    unreadable(where);
    return { rows: [], results: [] };
  }
  const results = record.results
    .map((member, index) => decodeResult(member, `${where}, result ${index}`, unreadable))
    .filter((result) => result !== undefined);
  const reads = Array.isArray(record.reads) ? record.reads.filter(isRead) : [];
  return { rows: decodeRows(record.rows, where, decoding), results, reads };
}

function isRead(member: unknown): member is Reads[number] {
  return Array.isArray(member) && typeof member[0] === 'string' && typeof member[1] === 'number';
}
