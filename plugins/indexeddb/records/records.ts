import type { EntityValue, Meta, StoredResult } from 'holdfast';
import type { SharedMetas } from './SharedMetas.ts';

/** The rows that a stored value refers to, as table, pk, table, pk, …: flat, since there are many. */
export type Refs = readonly string[];

/** No references. */
export const NO_REFS: Refs = [];

/** A row on disk. Always complete: it was merged with the previous version before it was written. */
export interface DiskRow {
  readonly table: string;
  readonly pk: string;
  /** Undefined marks a deleted entity (a tombstone). */
  readonly value: EntityValue | undefined;
  readonly meta: Meta;
  /** For a tombstone of a rename, the current row. */
  readonly refs: Refs;
  /** When a tombstone was compacted, in ms since the epoch. */
  readonly foldedAt?: number;
}

/** A result on disk, without its error. */
export interface DiskResult extends Omit<StoredResult, 'error'> {
  readonly key: string;
  readonly refs: Refs;
  /** When it was last read, in ms since the epoch, if recorded. */
  readonly readAt?: number;
}

/** What one flush appends to the log. */
export interface WriteBatch {
  readonly rows: readonly DiskRow[];
  readonly results: readonly DiskResult[];
  /** When results were last read, in ms since the epoch. */
  readonly reads?: Reads;
}

/** When results were read, by key, in ms since the epoch. */
export type Reads = readonly (readonly [key: string, at: number])[];

/** The result of a disk read, and the references to rows that are nowhere. */
export interface DiskReadResult {
  readonly rows: readonly DiskRow[];
  readonly results: readonly DiskResult[];
  readonly missing: Refs;
  /** The last sequence number at that time. */
  readonly lastSeen: number;
}

/** Called for invalid records, which are skipped. */
export type OnUnreadable = (where: string) => void;

/** What decoding needs. */
export interface Decoding {
  /** The app's version of its rows. */
  readonly version: number;
  readonly unreadable: OnUnreadable;
  readonly metas: SharedMetas;
  /** Migrates a row of an earlier version; undefined drops it. */
  upgrade(row: DiskRow, from: number): DiskRow | undefined;
}

/** The rows that references point to. */
export function* rowRefs(refs: Refs): Generator<readonly [table: string, pk: string]> {
  for (let index = 0; index + 1 < refs.length; index += 2) {
    yield [refs[index] as string, refs[index + 1] as string]; // in range, by the condition
  }
}
