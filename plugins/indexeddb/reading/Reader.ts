import { RENAMES, type RestoreQuery } from 'holdfast';
import type { DiskResult, DiskRow, DiskReadResult } from '../records/records.ts';
import { ReadTransaction, type ReadTransactionDeps } from './ReadTransaction.ts';
import type { Records } from '../storage/Storage.ts';

/** The rows of some shards, and the number of shards. A table that is only in the log counts as one shard. */
export interface ShardRange {
  readonly shards: number;
  /** Those that are not in a shard yet come last. */
  readonly rows: readonly DiskRow[];
  /** The last sequence number at that time. */
  readonly lastSeen: number;
  /** The number of evictions at that time. */
  readonly evictions: number;
}

/** The disk has another session than memory: this tab or another one was reset. */
export class SessionEnded extends Error {}

/** The disk, as a reader needs it. */
interface ReadableDisk extends ReadTransactionDeps {
  readonly records: Records;
  /** Whether what it has, as of the last read, is of the session that memory has. */
  readonly hasSession: boolean;
  /** Increases with each reset of this tab. */
  readonly localResets: number;
}

/** Reads the merged view of log and shards. Rejects with `SessionEnded` rather than return data of another session. */
export class Reader {
  readonly #disk: ReadableDisk;

  constructor(disk: ReadableDisk) {
    this.#disk = disk;
  }

  /** The requested data with everything it refers to, transitively, as of one moment. */
  readReachable({ results = [], rows = [] }: Omit<RestoreQuery, 'tables'>): Promise<DiskReadResult> {
    return this.#read(async (transaction) => {
      const found = await transaction.results(results);
      // A reference means what its pk meant when it was stored.
      const renames = await transaction.range(RENAMES);
      const roots = [
        ...rows.flat(),
        ...found.flatMap(({ refs }) => refs),
        ...renames.flatMap(({ table, pk }) => [table, pk]),
      ];
      const reached = await transaction.follow(roots);
      return { ...reached, results: found, lastSeen: transaction.lastSeen };
    });
  }

  /** These results, without references. */
  results(keys: readonly string[]): Promise<readonly DiskResult[]> {
    return this.#read((transaction) => transaction.results(keys));
  }

  /** Some of a table's shards, starting at `first`, or all of them: rows without references. */
  shards(table: string, first?: number, count?: number): Promise<ShardRange> {
    return this.#read(async (transaction) => {
      const shards = Math.max(1, transaction.shards(table));
      const rows = await transaction.range(table, first, count);
      return { shards, rows, lastSeen: transaction.lastSeen, evictions: transaction.header.evictions };
    });
  }

  async #read<T>(run: (transaction: ReadTransaction) => Promise<T>): Promise<T> {
    const disk = this.#disk;
    const { localResets } = disk;
    let evictions: number | undefined;
    const found = await disk.records.read(async (view) => {
      const header = await disk.log.refresh(view);
      evictions = header.evictions;
      const transaction = new ReadTransaction(view, header, disk);
      if (!disk.hasSession) throw new SessionEnded();
      return run(transaction);
    });
    if (localResets !== disk.localResets) throw new SessionEnded();
    // Rows that were evicted in the meantime would be taken for stored, and not be written again.
    return evictions === disk.log.header.evictions ? found : this.#read(run);
  }
}
