import { withListAddition, type Commit, type ListAddition, type State, type StoredRow } from 'holdfast';
import type { ControllerApi } from '../ControllerApi.ts';
import type { WriteAheadLog } from './WriteAheadLog.ts';
import { newer } from '../records/newer.ts';
import type { PendingWrites } from './PendingWrites.ts';
import type { Reader } from '../reading/Reader.ts';
import type { DiskRow } from '../records/records.ts';
import type { SyncStates } from './SyncStates.ts';

/** The parts of the disk that additions need. */
interface ListAdditionsDeps {
  readonly reader: Reader;
  readonly syncStates: SyncStates;
  readonly log: WriteAheadLog;
  readonly pending: PendingWrites;
  readonly state: State | undefined;
  readonly controller: ControllerApi;
}

/** Lists that are only on disk, with their pending additions applied. */
export interface ExtendedLists {
  /** How many additions they include. */
  readonly count: number;
  /** The last WAL sequence number taken into account. */
  readonly lastSeen: number;
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow])[];
}

/** How many log records an addition is kept for after its own, for reads that began before: few read that long. */
const KEPT_FOR = 1_000;

/** No lists. */
export const NO_LISTS: ExtendedLists = { count: 0, lastSeen: -1, rows: [] };

/**
 * Pending additions to lists. A list that is only on disk gets them in the batch that contains the added rows, so it
 * need not be loaded into memory.
 */
export class ListAdditions {
  /** Additions that are not durable yet. */
  #waiting: ListAddition[] = [];
  /** Additions that are durable, with the sequence number of their record: reads that began before do not find them. */
  #durable: { readonly addition: ListAddition; readonly sequence: number }[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Records the additions of a commit, unless another tab made it and writes them itself. */
  observe({ action, additions }: Commit): void {
    if (action.type === 'apply') return;
    for (const addition of additions) if (addition.pk === undefined) this.#waiting.push(addition);
  }

  /**
   * The additions that lists lack which have just been read from disk.
   *
   * @param lastSeen - the last WAL sequence number that the read took into account
   */
  forRows(rows: readonly DiskRow[], lastSeen: number): readonly ListAddition[] {
    const later = this.#durable.filter(({ sequence }) => sequence > lastSeen);
    const missing = [...later.map(({ addition }) => addition), ...this.#waiting];
    if (missing.length === 0) return missing;
    const tables = new Set(rows.map(({ table }) => table));
    return missing.filter(({ table }) => tables.has(table));
  }

  /** Whether the lists have to be read again. */
  isDue({ count, lastSeen }: ExtendedLists, lastSeenNow: number): boolean {
    return this.#waiting.length > count || (count > 0 && lastSeen !== lastSeenNow);
  }

  /** The lists that are only on disk, with pending additions applied. */
  async extend(disk: ListAdditionsDeps): Promise<ExtendedLists> {
    const { reader, syncStates, log, controller } = disk;
    const waiting = [...this.#waiting];
    const rows: (readonly [string, string, StoredRow])[] = [];
    let { lastSeen } = log;
    for (const table of new Set(waiting.map((addition) => addition.table))) {
      if (syncStates.isInMemory(table)) continue;
      const found = await reader.table(table);
      const schema = controller.entitiesOf(table)[0]?.schema;
      lastSeen = Math.min(lastSeen, found.lastSeen);
      for (const list of found.rows) {
        const { pk } = list;
        if (disk.state?.tables[table]?.get(pk) !== undefined) continue;
        const collectedRow = disk.pending.rows.get(table)?.get(pk)?.collectedRow;
        const before: StoredRow = newer({ value: list.value, meta: list.meta }, collectedRow ?? list);
        let row = before;
        for (const addition of waiting)
          if (addition.table === table) row = withListAddition(row, pk, addition, disk.state, schema) ?? row;
        if (row !== before) rows.push([table, pk, row]);
      }
    }
    return { count: waiting.length, lastSeen, rows };
  }

  /**
   * The first additions are durable now.
   *
   * @param sequence - the sequence number of the last record that contains them
   */
  markDurable(count: number, sequence: number): void {
    const added = this.#waiting.splice(0, count).map((addition) => ({ addition, sequence }));
    if (added.length > 0)
      this.#durable = [...this.#durable.filter((kept) => kept.sequence > sequence - KEPT_FOR), ...added];
  }

  clear(): void {
    this.#waiting = [];
    this.#durable = [];
  }
}
