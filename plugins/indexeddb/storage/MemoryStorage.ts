import { clearedHeader, decodeHeader, type Header } from '../records/header.ts';
import { isFinished, unfinishedReset, type ResetMark, type ResetMarks } from '../records/resetMark.ts';
import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import type { SideChange } from '../writing/side.ts';
import { guardKey } from '../writing/writeGuard.ts';
import type { AppendResult, AppendOptions, Storage, StorageView } from './Storage.ts';

const NO_MARKS: ResetMarks = { keep: undefined, discard: undefined };

/** The records of one database. Keys of shards and of other plugins' records are JSON. */
class Records {
  log = new Map<number, unknown>();
  shards = new Map<string, unknown>();
  results = new Map<string, unknown>();
  side = new Map<string, unknown>();
  header: unknown;
  directory: unknown;
  resetMarks: ResetMarks = NO_MARKS;
  /** Marks of stamps that have passed. */
  readonly passed = new Set<string>();
  /** Settles when no transaction is under way. */
  last: Promise<unknown> = Promise.resolve();
}

/**
 * Keeps in memory what `indexedDB` otherwise keeps in IndexedDB: for tests, in which a plugin that gets the same memory
 * storage finds what an earlier one has written, as a page does after a reload. Nothing else differs: records are copied by
 * structured clone, transactions are atomic, each database has its own records.
 *
 * @example
 * const storage = memoryStorage();
 * const open = () =>
 *   new Controller({ plugins: [indexedDB({ name: 'app', storage })] });
 * const controller = open();
 * await controller.fetch(ArticleResource.get, { id: 5 });
 * await controller.stop();
 * const reloaded = open();
 */
export function memoryStorage(): (database: string) => Storage {
  const databases = new Map<string, Records>();
  return (database) => {
    const records = databases.get(database) ?? new Records();
    databases.set(database, records);
    return new MemoryStorage(records);
  };
}

/** A connection to records in memory. */
class MemoryStorage implements Storage {
  // Nothing deletes it.
  readonly identity = '';
  readonly dataLoss = undefined;
  readonly #records: Records;
  #isClosed = false;

  constructor(records: Records) {
    this.#records = records;
  }

  onReplaced(): void {
    // Nothing deletes it.
  }

  onLost(): void {
    // Every record can be read.
  }

  open(): Promise<void> {
    return this.#transact(() => undefined);
  }

  whenOpened(): Promise<boolean> {
    return Promise.resolve(!this.#isClosed);
  }

  read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    return this.#transact((records) => run(viewOf(records)));
  }

  append(
    records: readonly unknown[],
    side: readonly SideChange[],
    { guard, version }: AppendOptions,
  ): Promise<AppendResult> {
    return this.#transact((stored) => {
      const copies = records.map(clone);
      const sideCopies = side.map((change) => ({ ...change, record: clone(change.record) }));
      const sequences = records.map((_record, index) => guard.lastSeen + 1 + index);
      const header = decodeHeader(stored.header);
      if (stored.passed.has(guardKey(guard)) || sequences.some((sequence) => stored.log.has(sequence))) {
        if (header.epoch !== guard.epoch) return 'emptied';
        return header.version > version ? 'newer' : 'moved';
      }
      if (guard.version !== version) {
        stored.passed.add(guardKey(guard));
        stored.header = { ...header, version };
      }
      for (const [index, sequence] of sequences.entries()) stored.log.set(sequence, copies[index]);
      for (const { plugin, key, record } of sideCopies)
        put(stored.side, JSON.stringify([plugin, key]), record);
      return sequences.length === 0 || header.foldedThrough <= guard.lastSeen ? { sequences } : 'moved';
    });
  }

  rewrite(plan: RewritePlan, from: Header): Promise<boolean> {
    return this.#transact((stored) => {
      const { epoch, revision, version, resetAt } = decodeHeader(stored.header);
      const isSame = epoch === from.epoch && revision === from.revision && version === from.version;
      const { logEndsAt = Infinity } = plan;
      if (!isSame || [...stored.log.keys()].some((sequence) => sequence > logEndsAt)) return false;
      const { header, shards, results, dropLogThrough, directory } = clone(plan);
      for (const [table, shard, rows] of shards) stored.shards.set(JSON.stringify([table, shard]), rows);
      for (const [key, result] of results) put(stored.results, key, result);
      for (const sequence of stored.log.keys()) if (sequence <= dropLogThrough) stored.log.delete(sequence);
      if (directory !== undefined) stored.directory = directory;
      if (guardKey(header) !== guardKey(from)) stored.passed.add(guardKey(from));
      // A reset that was finished in the meantime has changed nothing else.
      stored.header = { ...header, resetAt };
      return true;
    });
  }

  markReset(mark: ResetMark): Promise<void> {
    return this.#transact((stored) => {
      stored.resetMarks = { ...stored.resetMarks, [mark.keepsSide ? 'keep' : 'discard']: mark.epoch };
    });
  }

  noteReset(): void {
    // It is always open.
  }

  readUnfinishedReset(): Promise<ResetMark | undefined> {
    return this.#transact((stored) => unfinishedReset(stored.resetMarks, decodeHeader(stored.header)));
  }

  clear(keepsSide = false, mark?: ResetMark, at = 0): Promise<Header> {
    return this.#transact((stored) => {
      const before = decodeHeader(stored.header);
      const { resetMarks: marks } = stored;
      if (isFinished({ keepsSide, mark, at }, marks, before)) {
        const updated = { ...before, resetAt: Math.max(before.resetAt, at) };
        stored.header = updated;
        return updated;
      }
      const keeps = keepsSide && unfinishedReset(marks, before)?.keepsSide !== false;
      const header = clearedHeader(before, at, keeps, Math.max(0, ...stored.log.keys()));
      for (const store of [stored.log, stored.shards, stored.results]) store.clear();
      if (!keeps) stored.side.clear();
      stored.directory = undefined;
      stored.resetMarks = NO_MARKS;
      stored.passed.add(guardKey(before));
      stored.header = header;
      return header;
    });
  }

  prepareUnload(): void {
    // Writes never wait.
  }

  close(): void {
    this.#isClosed = true;
  }

  isStorable(value: unknown): boolean {
    try {
      clone(value);
      return true;
    } catch {
      return false;
    }
  }

  /** Runs something when no other transaction is under way. */
  #transact<T>(run: (records: Records) => T | Promise<T>): Promise<T> {
    const records = this.#records;
    if (this.#isClosed)
      return Promise.reject(new DOMException('The storage was closed', 'InvalidStateError'));
    const done = records.last.then(() => run(records));
    records.last = done.catch(() => undefined);
    return done;
  }
}

/** A copy as IndexedDB makes it. jsdom has no structured clone: there the records themselves are kept. */
function clone<T>(value: T): T {
  return typeof structuredClone === 'undefined' ? value : structuredClone(value);
}

function put(store: Map<string, unknown>, key: string, record: unknown): void {
  if (record === undefined) store.delete(key);
  else store.set(key, record);
}

/** What a transaction reads, in the order in which IndexedDB has it. */
function viewOf(records: Records): StorageView {
  const entries = (): [string, unknown][] => [...records.results].sort(([a], [b]) => (a < b ? -1 : 1));
  const shards = (): (readonly [readonly [table: string, shard: number], unknown])[] =>
    [...records.shards]
      .map(([key, rows]) => [JSON.parse(key) as [string, number], rows] as const) // as `rewrite` made it
      .sort(([a], [b]) => (a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1));
  const found = <T>(value: T): Promise<T> => Promise.resolve(clone(value));
  return {
    header: () => found(records.header),
    log: (through, limit) =>
      found(
        [...records.log]
          .filter(([sequence]) => sequence > through)
          .sort(([a], [b]) => a - b)
          .slice(0, limit),
      ),
    resultKeys: () => found(entries().map(([key]) => key)),
    result: (key) => found(records.results.get(key)),
    results: (first, last) =>
      found(
        entries()
          .filter(([key]) => first <= key && key <= last)
          .map(([, result]) => result),
      ),
    shard: (table, shard) => found(records.shards.get(JSON.stringify([table, shard]))),
    shardKeys: () => found(shards().map(([key]) => key)),
    shards: (table, first, count) =>
      found(
        shards()
          .filter(([[name, shard]]) => name === table && shard >= first && shard < first + count)
          .map(([, rows]) => rows),
      ),
    directory: () => found(records.directory),
    side: (plugin) =>
      found(
        [...records.side]
          .map(([key, record]) => [JSON.parse(key) as [string, string], record] as const) // as `append` made it
          .filter(([[name]]) => name === plugin)
          .map(([[, key], record]) => [key, record] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
}
