import { isRecord } from './metaShape.ts';
import type { Batch, Decoding, Reads } from './records.ts';
import { decodeResult, encodeResult, type ResultRecord } from './resultRecord.ts';
import { decodeRows, encodeRows, type RowBlock } from './rowBlock.ts';

/** A batch as one record of the log holds it. */
export interface BatchRecord {
  readonly rows: RowBlock;
  readonly results: readonly ResultRecord[];
  readonly reads?: Reads;
}

/**
 * A batch as a log record holds it.
 *
 * @param version - the app's, of which the rows are
 */
export function encodeBatch({ rows, results, reads }: Batch, version: number): BatchRecord {
  const record = { rows: encodeRows(rows, version), results: results.map(encodeResult) };
  return reads === undefined ? record : { ...record, reads };
}

/** Rows of one record: what a record of many rows costs is one task of the main thread. */
const ROWS_PER_RECORD = 256;

/** A batch in parts that each make one record. */
export function partsOf({ rows, results, reads = [] }: Batch): Batch[] {
  const parts: Batch[] = [];
  const most = Math.max(rows.length, results.length, reads.length);
  for (let start = 0; start < most; start += ROWS_PER_RECORD) {
    const end = start + ROWS_PER_RECORD;
    const part: Batch = { rows: rows.slice(start, end), results: results.slice(start, end) };
    const partReads = reads.slice(start, end);
    parts.push(partReads.length === 0 ? part : { ...part, reads: partReads });
  }
  return parts;
}

/**
 * The batch of a log record as it was read; what is not of our shape is left out and told of.
 *
 * @param where - names the record to `unreadable`
 */
export function decodeBatch(record: unknown, where: string, decoding: Decoding): Batch {
  const { unreadable } = decoding;
  if (!isRecord(record) || !Array.isArray(record.results)) {
    unreadable(where);
    return { rows: [], results: [] };
  }
  const results = record.results
    .map((member, place) => decodeResult(member, `${where}, result ${place}`, unreadable))
    .filter((result) => result !== undefined);
  const reads = Array.isArray(record.reads) ? record.reads.filter(isRead) : [];
  return { rows: decodeRows(record.rows, where, decoding), results, reads };
}

function isRead(member: unknown): member is Reads[number] {
  return Array.isArray(member) && typeof member[0] === 'string' && typeof member[1] === 'number';
}
