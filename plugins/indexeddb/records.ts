import type { EntityValue, Meta, StoredResult } from 'holdfast';
import type { SharedMetas } from './SharedMetas.ts';

/** The rows that a stored value names, as table, pk, table, pk, …: flat, since every row has several. */
export type Refs = readonly string[];

/** The references of a value that names nothing. */
export const NO_REFS: Refs = [];

/** A row as it lies on disk. It is always whole: whoever writes a row has merged the version on disk before. */
export interface DiskRow {
  readonly table: string;
  readonly pk: string;
  /** Undefined marks a deleted entity (a tombstone). */
  readonly value: EntityValue | undefined;
  readonly meta: Meta;
  /** Of a tombstone of what was renamed, the row that it is now. */
  readonly refs: Refs;
  /** When a tombstone left the log, in ms since the epoch. */
  readonly foldedAt?: number;
}

/** An endpoint's result as it lies on disk: never its error. */
export interface DiskResult extends Omit<StoredResult, 'error'> {
  readonly key: string;
  readonly refs: Refs;
  /** When it was last read, in ms since the epoch, as far as that was written. */
  readonly readAt?: number;
}

/** What one flush appends to the log. */
export interface Batch {
  readonly rows: readonly DiskRow[];
  readonly results: readonly DiskResult[];
  /** When results were last read, in ms since the epoch. */
  readonly reads?: Reads;
}

/** When results were read, by key, in ms since the epoch. */
export type Reads = readonly (readonly [key: string, at: number])[];

/** What was read, and which rows it leads to that are nowhere. */
export interface Found {
  readonly rows: readonly DiskRow[];
  readonly results: readonly DiskResult[];
  readonly missing: Refs;
  /** The last place of the log that was known of then. */
  readonly known: number;
}

/** Told of what is on disk but not of our shape; it is left out of what was read. */
export type Unreadable = (where: string) => void;

/** What reading what is on disk needs to know. */
export interface Decoding {
  /** The app's version of its rows. */
  readonly version: number;
  readonly unreadable: Unreadable;
  readonly metas: SharedMetas;
  /** Brings a row of an earlier version up to the app's; undefined, and the row is left out, where that cannot be. */
  upgrade(row: DiskRow, from: number): DiskRow | undefined;
}

/** The rows that references name. */
export function* named(refs: Refs): Generator<readonly [table: string, pk: string]> {
  for (let index = 0; index + 1 < refs.length; index += 2) {
    yield [refs[index] as string, refs[index + 1] as string]; // in range, by the condition
  }
}
