import type { Header } from './header.ts';
import type { Plan } from './Plan.ts';
import type { SideChange } from './side.ts';
import type { Stamp } from './stamp.ts';

/**
 * Where records are kept: five stores that are read and written in transactions. It knows nothing of what is in a
 * record; whatever it gives back is checked by whoever asked.
 */
export interface Storage {
  /** What the browser said, once it is open, to have lost of what was kept here; undefined where it has not. */
  readonly lost: string | undefined;
  /** Calls `listener` when it turns out that it was deleted, and made again, empty, since it was last used. */
  onReplaced(listener: () => void): void;
  /** Calls `listener` when records had to be deleted, since the browser cannot read them any more, with where they were. */
  onLost(listener: (records: string) => void): void;
  /** Opens it, unless it is open. Rejects when that cannot be, or takes too long. */
  open(): Promise<void>;
  /** Resolves when what took too long has come to its end, with whether it is open: perhaps never. */
  openedLate(): Promise<boolean>;
  /** Reads in one transaction, which ends when `run` awaits anything else. `run` may be called twice. */
  read<T>(run: (view: StorageView) => Promise<T>): Promise<T>;
  /**
   * Appends records to the log, and writes records of other plugins, in one transaction. Where it is open and little is
   * to be written, all of that is asked for before anything else happens: it is written even if the page is left then.
   */
  append(records: readonly unknown[], side: readonly SideChange[], options: AppendOptions): Promise<Appended>;
  /**
   * Carries out a plan, in one transaction.
   *
   * @param from - the header that the plan was made from
   * @returns false, with nothing written, when that is no longer how things are
   */
  rewrite(plan: Plan, from: Header): Promise<boolean>;
  /**
   * Removes every record of every store and raises the epoch, in one transaction; gives the header that is left.
   *
   * @param keepsSide - leaves the records of other plugins
   */
  clear(keepsSide?: boolean): Promise<Header>;
  /** Lets nothing keep an append waiting: the page may be about to go. */
  hurry(): void;
  close(): void;
  /** Whether a record that holds this can be written. */
  isStorable(value: unknown): boolean;
}

/**
 * What became of records: they have their places in the log, or nothing was written since the epoch has passed
 * (`'emptied'`), since others have written to the log or evicted something meanwhile (`'moved'`) or since a newer version of the app has
 * written (`'newer'`).
 */
export type Appended = { readonly places: readonly number[] } | 'emptied' | 'moved' | 'newer';

/** How a batch is to be written. */
export interface AppendOptions {
  /** What whoever made the batch knows of the disk. */
  readonly known: Known;
  /** The app's version of its rows. */
  readonly version: number;
  readonly durability: 'relaxed' | 'strict';
  /** Whether the page is being left by now: everything is written at once then, however much it is. */
  readonly isHasty: boolean;
}

/** What is known of the disk as of the last look. */
export interface Known extends Stamp {
  /** The last place of the log. */
  readonly after: number;
}

/** What a reading transaction sees. Everything unknown is as it lies on disk, unchecked. */
export interface StorageView {
  header(): Promise<unknown>;
  /** The log records after `through`, oldest first, `limit` at most. */
  log(through: number, limit: number): Promise<readonly (readonly [place: number, record: unknown])[]>;
  resultKeys(): Promise<readonly string[]>;
  result(key: string): Promise<unknown>;
  /** The results from one key to another, both included, by the order of code units. */
  results(first: string, last: string): Promise<readonly unknown[]>;
  shard(table: string, shard: number): Promise<unknown>;
  /** Where shards are. */
  shardKeys(): Promise<readonly (readonly [table: string, shard: number])[]>;
  /** So many shards, from `first` on. */
  shards(table: string, first: number, count: number): Promise<readonly unknown[]>;
  /** Where results do not lie under their keys: under what. */
  directory(): Promise<unknown>;
  /** Every record that a plugin keeps here. */
  side(plugin: string): Promise<readonly (readonly [key: string, record: unknown])[]>;
}
