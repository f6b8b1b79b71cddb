import { isRecord } from './metaShape.ts';
import type { Stamp } from './stamp.ts';

/** How a table is spread over shards. */
export interface TableInfo {
  /** How many shards it has. */
  readonly shards: number;
  /** How many rows they hold, tombstones included. */
  readonly rows: number;
  /** How many bytes those take, about. */
  readonly bytes: number;
  /** The tables that its rows name. */
  readonly refs: readonly string[];
}

/** The one record of the store `meta`. */
export interface Header extends Stamp {
  /** Rises with each reset. What was begun in an earlier epoch may not be written. */
  readonly epoch: number;
  /** The epoch that began with the last reset which took the records of other plugins along; where missing, this one. */
  readonly sideEpoch?: number;
  /** Rises with each rewrite of shards or results, so that one that was prepared before another is not carried out. */
  readonly revision: number;
  /** The highest version of the app that has written. One of a lower version neither reads nor writes. */
  readonly version: number;
  /** Log records up to this one have left the log: for the shards, or by a reset. */
  readonly foldedThrough: number;
  /** The highest order among what has left the log. */
  readonly order: number;
  /** Rises with each eviction: what was on disk may no longer be there. */
  readonly evictions: number;
  /** How many bytes the results take that have left the log, about. */
  readonly resultBytes: number;
  /** A Map, so that any table name is ordinary data. */
  readonly tables: ReadonlyMap<string, TableInfo>;
}

/** The header of a database that nothing has been folded in. */
export const EMPTY_HEADER: Header = {
  epoch: 0,
  revision: 0,
  version: 0,
  foldedThrough: 0,
  order: 0,
  evictions: 0,
  resultBytes: 0,
  tables: new Map(),
};

/** The header as it was read; an empty one where there is none, or none of our shape. */
export function decodeHeader(record: unknown): Header {
  return isHeader(record) ? record : EMPTY_HEADER;
}

function isHeader(record: unknown): record is Header {
  return (
    isRecord(record) &&
    [
      record.epoch,
      record.revision,
      record.version,
      record.foldedThrough,
      record.evictions,
      record.order,
    ].every(isCount) &&
    Number.isFinite(record.resultBytes) &&
    isMap(record.tables) &&
    [...record.tables].every(([table, info]) => typeof table === 'string' && isTableInfo(info))
  );
}

/** By its tag, since a Map of another realm (an iframe, a test environment) is no instance of this realm's. */
function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return Object.prototype.toString.call(value) === '[object Map]';
}

/** The epoch since which other plugins' records have been kept. */
export function sideEpochOf({ epoch, sideEpoch = epoch }: Header): number {
  return sideEpoch;
}

/** How many rows and bytes have left the log, about. */
export function sizeOfFolded({ tables, resultBytes }: Header): {
  readonly rows: number;
  readonly bytes: number;
} {
  let rows = 0;
  let bytes = resultBytes;
  for (const table of tables.values()) {
    rows += table.rows;
    bytes += table.bytes;
  }
  return { rows, bytes };
}

function isTableInfo(info: unknown): boolean {
  return (
    isRecord(info) &&
    isCount(info.shards) &&
    info.shards <= MAX_SHARDS &&
    Number.isFinite(info.rows) &&
    Number.isFinite(info.bytes) &&
    Array.isArray(info.refs)
  );
}

/** More shards than the rows of any device need: a greater number is damage. */
const MAX_SHARDS = 2 ** 22;

/** A number that a header can have counted to. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 2 ** 52;
}
