import { valuesThatThrow } from '../records/clonable.ts';
import { clearedHeader, decodeHeader, type Header } from '../records/header.ts';
import { isRecorded, resetsToCarryOut, unrecordedResets, type Reset } from '../records/resets.ts';
import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import type { SideChange } from '../writing/side.ts';
import { guardKey } from '../writing/writeGuard.ts';
import type { AppendOptions, Storage, StorageView } from './Storage.ts';

/** The records of one database. Keys of shards and of other plugins' records are JSON. */
class Records {
  log = new Map<number, unknown>();
  shards = new Map<string, unknown>();
  results = new Map<string, unknown>();
  side = new Map<string, unknown>();
  header: unknown;
  directory: unknown;
  /** Marks of unfinished resets, the last of each kind. */
  readonly marks = new Map<boolean, Reset>();
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
  readonly isCreated = false;
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

  openWithoutTimeout(): Promise<void> {
    return this.open();
  }

  read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    return this.#transact((records) => run(viewOf(records)));
  }

  append(
    records: readonly unknown[],
    side: readonly SideChange[],
    { guard, version }: AppendOptions,
  ): Promise<boolean> {
    return this.#transact((stored) => {
      const copies = records.map(clone);
      const sideCopies = side.map((change) => ({ ...change, record: clone(change.record) }));
      const sequences = records.map((_record, index) => guard.lastSeen + 1 + index);
      const header = decodeHeader(stored.header);
      if (stored.passed.has(guardKey(guard)) || sequences.some((sequence) => stored.log.has(sequence)))
        return false;
      if (guard.version !== version) {
        stored.passed.add(guardKey(guard));
        stored.header = { ...header, version };
      }
      for (const [index, sequence] of sequences.entries()) stored.log.set(sequence, copies[index]);
      for (const { plugin, key, record } of sideCopies)
        put(stored.side, JSON.stringify([plugin, key]), record);
      return sequences.length === 0 || header.foldedThrough <= guard.lastSeen;
    });
  }

  rewrite(plan: RewritePlan, from: Header): Promise<boolean> {
    return this.#transact((stored) => {
      const { epoch, revision, version } = decodeHeader(stored.header);
      const isSame = epoch === from.epoch && revision === from.revision && version === from.version;
      const { logEndsAt = Infinity } = plan;
      if (!isSame || [...stored.log.keys()].some((sequence) => sequence > logEndsAt)) return false;
      const { header, shards, results, dropLogThrough, directory } = clone(plan);
      for (const [table, shard, rows] of shards) stored.shards.set(JSON.stringify([table, shard]), rows);
      for (const [key, result] of results) put(stored.results, key, result);
      for (const sequence of stored.log.keys()) if (sequence <= dropLogThrough) stored.log.delete(sequence);
      if (directory !== undefined) stored.directory = directory;
      if (guardKey(header) !== guardKey(from)) stored.passed.add(guardKey(from));
      stored.header = header;
      return true;
    });
  }

  markReset(reset: Reset): Promise<void> {
    return this.#transact((stored) => {
      stored.marks.set(reset.keepsSide, reset);
    });
  }

  noteReset(): void {
    // It is always open.
  }

  readUnfinishedResets(): Promise<readonly Reset[]> {
    return this.#transact((stored) =>
      unrecordedResets([...stored.marks.values()], decodeHeader(stored.header).resets),
    );
  }

  clear(resets: readonly Reset[]): Promise<Header> {
    return this.#transact((stored) => {
      const before = decodeHeader(stored.header);
      const due = resetsToCarryOut(resets, [...stored.marks.values()], before.resets);
      const header = due.length === 0 ? before : emptyRecords(stored, before, due);
      for (const [kind, mark] of stored.marks) if (isRecorded(mark, header.resets)) stored.marks.delete(kind);
      return header;
    });
  }

  prepareUnload(): void {
    // Writes never wait.
  }

  close(): void {
    this.#isClosed = true;
  }

  findUnstorable(values: readonly unknown[]): Promise<ReadonlySet<unknown>> {
    return Promise.resolve(valuesThatThrow(values, clone));
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

/** Deletes what resets are to delete, and leaves the header of the next epoch, which it returns. */
function emptyRecords(stored: Records, before: Header, resets: readonly Reset[]): Header {
  let last = 0;
  for (const sequence of stored.log.keys()) last = Math.max(last, sequence);
  const header = clearedHeader(before, resets, last);
  for (const store of [stored.log, stored.shards, stored.results]) store.clear();
  if (header.sideEpoch !== before.sideEpoch) stored.side.clear();
  stored.directory = undefined;
  stored.passed.add(guardKey(before));
  stored.header = header;
  return header;
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
    resultKeys: () => found([...records.results.keys()]),
    result: (key) => found(records.results.get(key)),
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
