import { RENAMES, type RestoreQuery, type State } from 'holdfast';
import type { Disk } from '../Disk.ts';
import { noScreen, type Screen } from '../records/lastScreen.ts';
import { rowRefs, type DiskResult, type DiskRow, type Refs, type WriteBatch } from '../records/records.ts';
import { sizeOf } from '../records/sizeOf.ts';
import type { PendingWrites } from '../writing/PendingWrites.ts';
import { RowSet } from './RowSet.ts';
import { mergeFound } from './toRestored.ts';

/** Rows in the record. */
const MAX_ROWS = 500;

/** Their approximate size, in bytes. */
const MAX_BYTES = 256 * 1_024;

/**
 * What was last on screen, in one record: the mounted reads and live queries, with every row that they need. It is
 * written when the page is hidden, and in idle time after other reads were mounted, since a page may end without being
 * hidden. The next start reads it together with the directory, so that screen is in memory before the controller is
 * ready. It is a cache: without it, each read loads its data from the log and the shards.
 */
export class LastScreen {
  readonly #disk: Disk;
  #isRequested = false;
  /** What the record has brought into memory. */
  readonly #restoredResults = new Set<string>();
  readonly #restoredRows = new RowSet();
  /** The mounted reads that the record contains, or for which it was not possible, as of one epoch of the disk. */
  #considered: { readonly keys: ReadonlySet<string>; readonly localResets: number } | undefined;
  /** The record that this tab has written last, and the position of the log then. */
  #written: (Screen & { readonly through: number; readonly evictions: number }) | undefined;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Whether the next flush has to write the record. */
  get isDue(): boolean {
    return this.#isRequested && this.#disk.isUsable;
  }

  /** Whether a read has been mounted that the record may lack. */
  get isOutdated(): boolean {
    if (!this.#disk.isUsable) return false;
    const considered = this.#considered;
    const isKnown = considered?.localResets === this.#disk.localResets;
    return this.#disk.controller.mountedKeys(MAX_ROWS).some((key) => !isKnown || !considered.keys.has(key));
  }

  /** Adds the record to the next flush, unless it would be the same again. */
  request(): void {
    this.#isRequested = true;
  }

  /** Deletes the record with the next flush: a reset may keep the records of plugins, but this one is data. */
  forget(): void {
    this.#written = undefined;
    this.#disk.pending.addSideChange(noScreen);
  }

  /**
   * The screen to write with a batch; undefined if none is requested, or it is on disk already. It contains only what
   * disk and batch have: a crash must not leave it ahead of them.
   *
   * @param state - the state that the batch stores
   */
  take(state: State | undefined, pending: PendingWrites, batch: WriteBatch): Screen | undefined {
    const { syncStates } = this.#disk;
    if (!this.isDue || state === undefined) return undefined;
    this.#isRequested = false;
    this.#consider(this.#disk.controller.mountedKeys(MAX_ROWS));
    // What references mean depends on all renames.
    if (!syncStates.isInMemory(RENAMES)) return undefined;
    let screen: Screen | undefined;
    try {
      screen = this.#collect(state, pending, batch);
    } catch {
      // It calls schemas of the app. A cache must not make the flush fail.
      return undefined;
    }
    // A page without reads, such as one that is being taken down, keeps the record of the screen before.
    return screen === undefined || this.#isOnDisk(screen, batch) ? undefined : screen;
  }

  /** The record is on disk. */
  onWritten(screen: Screen): void {
    const { lastSeen, evictions } = this.#disk.log.guard;
    this.#written = { ...screen, through: lastSeen, evictions };
  }

  /**
   * Whether a read asks only for what the last screen has just brought into memory, so the disk has nothing to add. Once
   * for each result: memory may change.
   */
  answers({ results = [], rows = [], tables = [] }: RestoreQuery): boolean {
    const { state, syncStates } = this.#disk;
    return (
      tables.length === 0 &&
      rows.every(
        ([table, pk]) => this.#restoredRows.has(table, pk) && syncStates.get(table, pk) === 'synced',
      ) &&
      results.every(
        (key) =>
          this.#restoredResults.delete(key) &&
          state?.results.get(key) !== undefined &&
          !this.#disk.directory.outdated.has(key),
      )
    );
  }

  /** Merges what the record contained at the start into memory. */
  restore(): void {
    const { lastScreen: found } = this.#disk;
    if (found === undefined) return;
    this.#disk.lastScreen = undefined;
    this.#consider(found.results.map(({ key }) => key));
    for (const { key } of found.results) this.#restoredResults.add(key);
    for (const { table, pk } of found.rows) this.#restoredRows.add(table, pk);
    try {
      mergeFound(this.#disk, found);
    } catch {
      // An app's `merge` may throw. The restore of the rest reports it.
      this.#restoredResults.clear();
    }
  }

  /** Whether the record on disk has the same content, and nothing is logged after it that a compaction could include. */
  #isOnDisk(screen: Screen, batch: WriteBatch): boolean {
    const written = this.#written;
    const { lastSeen, evictions } = this.#disk.log.guard;
    return (
      written?.through === lastSeen &&
      written.evictions === evictions &&
      batch.rows.length + batch.results.length === 0 &&
      isSame(screen.rows, written.rows) &&
      isSame(screen.results, written.results)
    );
  }

  #consider(keys: readonly string[]): void {
    this.#considered = { keys: new Set(keys), localResets: this.#disk.localResets };
  }

  #collect(state: State, pending: PendingWrites, batch: WriteBatch): Screen | undefined {
    const { controller, references, directory } = this.#disk;
    const rows = new ScreenRows(this.#disk, state);
    const results: DiskResult[] = [];
    const batched = new Set(batch.results.map(({ key }) => key));
    const renames = [...(state.tables[RENAMES]?.entries() ?? [])].flatMap(([pk]) => [RENAMES, pk]);
    if (!rows.add(renames)) return undefined;
    const { length } = rows.list;
    for (const key of controller.mountedKeys(MAX_ROWS)) {
      const stored = state.results.get(key);
      const isOnDisk = pending.results.has(key) ? batched.has(key) : directory.results.has(key);
      if (stored === undefined || 'error' in stored || !isOnDisk || directory.outdated.has(key)) continue;
      if (isUnstorable(this.#disk, stored.value)) continue;
      const refs = references.ofResult(key, stored.value);
      if (refs !== undefined && rows.add(refs)) results.push({ ...stored, key, refs });
    }
    for (const row of controller.queriedRows(MAX_ROWS)) rows.add(row);
    return rows.list.length > length || results.length > 0 ? { rows: rows.list, results } : undefined;
  }
}

/** The rows of a screen, up to a limit. */
class ScreenRows {
  readonly list: DiskRow[] = [];
  readonly #disk: Disk;
  readonly #state: State;
  readonly #added = new RowSet();
  #bytes = 0;

  constructor(disk: Disk, state: State) {
    this.#disk = disk;
    this.#state = state;
  }

  /** Adds rows with everything they refer to. Returns false, with nothing added, if that is not possible. */
  add(refs: Refs): boolean {
    const { references, syncStates } = this.#disk;
    const reached: DiskRow[] = [];
    const visited = new RowSet();
    const waiting = [...refs];
    let bytes = this.#bytes;
    for (const [table, pk] of rowRefs(waiting)) {
      if (this.#added.has(table, pk) || !visited.add(table, pk)) continue;
      const row = this.#state.tables[table]?.get(pk);
      if (row === undefined || syncStates.get(table, pk) !== 'synced') return false;
      const { value, meta } = row;
      // It counts as synced although it was left out.
      if (isUnstorable(this.#disk, value)) return false;
      bytes += sizeOf(value);
      if (this.list.length + reached.length === MAX_ROWS || bytes > MAX_BYTES) return false;
      const rowReferences = references.ofRow(table, row);
      reached.push({ table, pk, value, meta, refs: rowReferences });
      for (const part of rowReferences) waiting.push(part);
    }
    for (const row of reached) {
      this.#added.add(row.table, row.pk);
      this.list.push(row);
    }
    this.#bytes = bytes;
    return true;
  }
}

const isUnstorable = ({ unstorable }: Disk, value: unknown): boolean =>
  typeof value === 'object' && value !== null && unstorable.has(value);

type Version = Pick<DiskRow | DiskResult, 'value' | 'meta'>;

const isSame = (these: readonly Version[], those: readonly Version[]): boolean =>
  these.length === those.length &&
  these.every(({ value, meta }, index) => value === those[index]?.value && meta === those[index]?.meta);
