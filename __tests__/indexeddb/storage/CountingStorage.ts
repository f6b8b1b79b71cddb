import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import type { RewritePlan } from '../../../plugins/indexeddb/maintenance/RewritePlan.ts';
import type { Storage, StorageView } from '../../../plugins/indexeddb/storage/Storage.ts';
import { bytes } from '../../support/indexedDB.ts';

/** What a storage was asked to do. */
export interface Work {
  readonly transactions: number;
  /** Looks at the disk within them. */
  readonly looks: number;
  /** Records that these gave. */
  readonly read: number;
  readonly written: number;
  readonly bytesWritten: number;
}

/** A storage that counts. */
export class CountingStorage extends IdbStorage {
  #transactions = 0;
  #looks = 0;
  #read = 0;
  #written = 0;
  #bytesWritten = 0;
  #rewritten: (() => void)[] = [];

  /** What it was asked to do since it was asked this last. */
  take(): Work {
    const work = {
      transactions: this.#transactions,
      looks: this.#looks,
      read: this.#read,
      written: this.#written,
      bytesWritten: this.#bytesWritten,
    };
    this.#transactions = this.#looks = this.#read = this.#written = this.#bytesWritten = 0;
    return work;
  }

  /** Resolves with the next rewrite. */
  rewritten(): Promise<void> {
    return new Promise((resolve) => this.#rewritten.push(resolve));
  }

  override read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    this.#transactions += 1;
    return super.read((view) => run(this.#counting(view)));
  }

  override readUnfinishedResets(): ReturnType<Storage['readUnfinishedResets']> {
    this.#transactions += 1;
    // The marks, and the header, which is read anyway.
    this.#looks += 2;
    return super.readUnfinishedResets();
  }

  override append(...[records, side, options]: Parameters<Storage['append']>): ReturnType<Storage['append']> {
    this.#wrote([...records, ...side]);
    return super.append(records, side, options);
  }

  override async rewrite(...[plan, from]: Parameters<Storage['rewrite']>): Promise<boolean> {
    this.#wrote(recordsOf(plan));
    const isDone = await super.rewrite(plan, from);
    for (const tell of this.#rewritten.splice(0)) tell();
    return isDone;
  }

  #wrote(records: readonly unknown[]): void {
    this.#transactions += 1;
    this.#written += records.length;
    for (const record of records) this.#bytesWritten += bytes(record);
  }

  #counting(view: StorageView): StorageView {
    const counted = async <T>(looking: Promise<T>): Promise<T> => {
      this.#looks += 1;
      const found = await looking;
      this.#read += Array.isArray(found) ? found.length : found === undefined ? 0 : 1;
      return found;
    };
    return {
      header: () => counted(view.header()),
      log: (through, limit) => counted(view.log(through, limit)),
      resultKeys: () => counted(view.resultKeys()),
      result: (key) => counted(view.result(key)),
      shardKeys: () => counted(view.shardKeys()),
      shard: (table, shard) => counted(view.shard(table, shard)),
      shards: (table, first, count) => counted(view.shards(table, first, count)),
      directory: () => counted(view.directory()),
      side: (plugin) => counted(view.side(plugin)),
    };
  }
}

/** What a plan writes, but for its header, which comes once. */
function recordsOf({ shards, results }: RewritePlan): unknown[] {
  return [...shards.map(([, , block]) => block), ...results.map(([, result]) => result)];
}
