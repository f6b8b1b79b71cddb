import { isOrder, isRecord } from '../../shared/guards.ts';
import { isReset, withResets, type Reset } from './resets.ts';
import type { WriteGuard } from '../writing/writeGuard.ts';

/** How a table is stored. */
export interface TableInfo {
  /** The number of shards. */
  readonly shards: number;
  /** The number of rows, tombstones included. */
  readonly rows: number;
  /** Their approximate size in bytes. */
  readonly bytes: number;
  /** The tables that its rows refer to. */
  readonly refs: readonly string[];
  /** What is not newer than this order may refer to rows that were lost before a compaction; missing if none were. */
  readonly lostThrough?: number;
}

/** The header record in the store `meta`. */
export interface Header extends WriteGuard {
  /** Increases with each reset. Writes of an earlier epoch are rejected. */
  readonly epoch: number;
  /** The epoch of the last reset that deleted other plugins' records. */
  readonly sideEpoch: number;
  /** The last resets that were carried out, the latest last, each with what was done. */
  readonly resets: readonly Reset[];
  /** Increases with each rewrite of shards or results, so that concurrent plans are rejected. */
  readonly revision: number;
  /** The highest app version that has written. A lower version neither reads nor writes. */
  readonly version: number;
  /** Log records up to this sequence number were compacted or cleared. */
  readonly foldedThrough: number;
  /** The sequence number of the last compacted record that says that records were lost; 0 for none. */
  readonly lostAt: number;
  /** The highest compacted order. */
  readonly order: number;
  /** Increases with each eviction: stored rows may be gone. */
  readonly evictions: number;
  /** The approximate size of compacted results in bytes. */
  readonly resultBytes: number;
  /** A Map, so that any table name is ordinary data. */
  readonly tables: ReadonlyMap<string, TableInfo>;
}

/** The header of a database that was never compacted. */
export const EMPTY_HEADER: Header = {
  epoch: 0,
  revision: 0,
  version: 0,
  foldedThrough: 0,
  sideEpoch: 0,
  resets: [],
  lostAt: 0,
  order: 0,
  evictions: 0,
  resultBytes: 0,
  tables: new Map(),
};

/** Decodes the header; an empty one if it is missing or invalid. */
export function decodeHeader(record: unknown): Header {
  return isHeader(record) ? record : EMPTY_HEADER;
}

function isHeader(record: unknown): record is Header {
  return (
    isRecord(record) &&
    [
      record.epoch,
      record.sideEpoch,
      record.revision,
      record.version,
      record.foldedThrough,
      record.evictions,
      record.order,
      record.lostAt,
    ].every(isOrder) &&
    Number.isFinite(record.resultBytes) &&
    Array.isArray(record.resets) &&
    record.resets.every(isReset) &&
    isMap(record.tables) &&
    [...record.tables].every(([table, info]) => typeof table === 'string' && isTableInfo(info))
  );
}

/** By tag: a Map of another realm (iframe, test environment) is not an instance of this realm's class. */
function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return Object.prototype.toString.call(value) === '[object Map]';
}

/**
 * The header that these resets leave. Other plugins' records are kept if `sideEpoch` stays as it was.
 *
 * @param last - the last sequence number in the log. Numbers are not reused: a tab that has read further would skip
 * the new records
 */
export function clearedHeader(before: Header, resets: readonly Reset[], last: number): Header {
  const epoch = before.epoch + 1;
  const keepsSide = resets.every((reset) => reset.keepsSide);
  return {
    ...EMPTY_HEADER,
    epoch,
    // Kept mutations are those of the version that has queued them.
    ...(keepsSide ? { sideEpoch: before.sideEpoch, version: before.version } : { sideEpoch: epoch }),
    resets: withResets(
      before.resets,
      resets.map(({ at }) => ({ at, keepsSide })),
    ),
    foldedThrough: Math.max(before.foldedThrough, last),
  };
}

/** The approximate rows and bytes in shards and results. */
export function compactedSize({ tables, resultBytes }: Header): {
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
    isOrder(info.shards) &&
    info.shards <= MAX_SHARDS &&
    Number.isFinite(info.rows) &&
    Number.isFinite(info.bytes) &&
    Array.isArray(info.refs)
  );
}

/** No device has rows for more shards: a greater number is damage. */
export const MAX_SHARDS: number = 2 ** 22;
