import { isRecord } from './metaShape.ts';
import type { Batch, Unreadable } from './records.ts';
import { decodeResult, encodeResult, type ResultRecord } from './resultRecord.ts';
import { decodeRows, encodeRows, type RowBlock } from './rowBlock.ts';

/** A batch as one record of the log holds it. */
export interface BatchRecord {
  readonly rows: RowBlock;
  readonly results: readonly ResultRecord[];
}

export function encodeBatch({ rows, results }: Batch): BatchRecord {
  return { rows: encodeRows(rows), results: results.map(encodeResult) };
}

/**
 * The batch of a log record as it was read; what is not of our shape is left out and told of.
 *
 * @param where - names the record to `unreadable`
 */
export function decodeBatch(record: unknown, where: string, unreadable: Unreadable): Batch {
  if (!isRecord(record) || !Array.isArray(record.results)) {
    unreadable(where);
    return { rows: [], results: [] };
  }
  const results = record.results
    .map((member, place) => decodeResult(member, `${where}, result ${place}`, unreadable))
    .filter((result) => result !== undefined);
  return { rows: decodeRows(record.rows, where, unreadable), results };
}
