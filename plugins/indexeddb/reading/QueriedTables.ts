import { RENAMES } from 'holdfast';
import type { Disk } from '../Disk.ts';
import { rowRefs } from '../records/records.ts';
import { Importer } from './Importer.ts';
import { SessionEnded, type ShardRange } from './Reader.ts';
import { restoreTable } from './restoreTable.ts';
import { RowSet } from './RowSet.ts';

/** What the tables need to know of the plugin. */
export interface QueriedTablesOptions {
  /** Settles once no other read of the app is in progress. */
  readonly settled: () => Promise<unknown>;
  /** Whether the plugin has stopped. */
  readonly isStopped: () => boolean;
  /** Called when a table is in memory, as far as it can be read. */
  readonly onRestored: () => void;
  /** Reads the changes of other tabs; never rejects. */
  readonly catchUp: () => Promise<void>;
}

/**
 * Restores the whole tables that queries read, before the rest of the database, with everything that their rows refer
 * to. As in the background restore, no task is long, so the page keeps responding.
 */
export class QueriedTables {
  readonly #disk: Disk;
  readonly #options: QueriedTablesOptions;
  readonly #restoring = new Map<string, Promise<void>>();
  /** Tables that could not be read, which the controller does not ask for again. */
  readonly unread = new Set<string>();

  constructor(disk: Disk, options: QueriedTablesOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  /** Settles once the tables are in memory, as far as they can be read. */
  async restore(tables: readonly string[]): Promise<void> {
    const { syncStates } = this.#disk;
    await Promise.all(
      tables
        .filter((table) => this.#restoring.has(table) || !syncStates.isInMemory(table))
        .map((table) => this.#restoring.get(table) ?? this.#start(table)),
    );
  }

  /** Settles once nothing is being restored. */
  async settled(): Promise<void> {
    await Promise.all(this.#restoring.values());
  }

  #start(table: string): Promise<void> {
    const restoring = this.#restore(table).finally(() => {
      this.#restoring.delete(table);
      this.#options.onRestored();
    });
    this.#restoring.set(table, restoring);
    return restoring;
  }

  async #restore(table: string): Promise<void> {
    const disk = this.#disk;
    const { settled, isStopped, catchUp } = this.#options;
    const { localResets } = disk;
    const importer = new Importer(disk, {
      settled,
      hasReferences: true,
      isActive: () => !isStopped() && disk.isUsable && localResets === disk.localResets,
    });
    const visited = new RowSet();
    const restoreReferences = async ({ rows }: ShardRange): Promise<boolean> => {
      const refs = this.#missing(table, rows, visited);
      if (refs.length === 0) return true;
      const found = await disk.reader.readReachable({ rows: refs });
      return (await importer.waitForTurn()) && importer.references(found);
    };
    try {
      // What references mean depends on the renames, which are read with anything.
      const renames = await disk.reader.readReachable({});
      if (!(await importer.waitForTurn()) || !(await importer.references(renames)) || table === RENAMES)
        return;
      await restoreTable(disk, table, importer, restoreReferences);
    } catch (cause) {
      if (cause instanceof SessionEnded) void catchUp();
      else disk.readFailure(cause, 'queries show what is in memory until it can');
      this.unread.add(table);
    }
  }

  /** The rows of other tables that rows refer to and memory lacks; those of the same table follow anyway. */
  #missing(table: string, found: ShardRange['rows'], visited: RowSet): (readonly [string, string])[] {
    const { state } = this.#disk;
    const missing: (readonly [string, string])[] = [];
    for (const { refs } of found)
      for (const [to, pk] of rowRefs(refs))
        if (to !== table && visited.add(to, pk) && state?.tables[to]?.get(pk) === undefined)
          missing.push([to, pk]);
    return missing;
  }
}
