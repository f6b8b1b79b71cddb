import type { StoredRow } from 'holdfast';
import { NO_LISTS, withChanges, type ExtendedLists } from './ListChanges.ts';
import type { Disk } from '../Disk.ts';
import { newer } from '../records/newer.ts';
import { rowRefs, type DiskResult, type Refs } from '../records/records.ts';
import { needsReconcile } from './SyncStates.ts';
import { mergeFound } from '../reading/toRestored.ts';

/** Rows read at a time. */
const SLICE = 512;

/**
 * Reconciles pending rows that came from elsewhere with their versions on disk, and restores what those refer to. So
 * every written row is already merged, and the newest version on disk is complete.
 */
export class Reconciliation {
  readonly #disk: Disk;
  /** The stored versions of pending results whose schema is unknown here; undefined if there is none. */
  readonly results = new Map<string, DiskResult | undefined>();
  /** Lists that are only on disk and have pending changes. */
  lists: ExtendedLists = NO_LISTS;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /**
   * Starts the next step; undefined when everything is reconciled. Other code and other tabs may add work at any
   * time, so call it until then, and write synchronously after that.
   */
  next(): Promise<void> | undefined {
    const disk = this.#disk;
    const unreconciled = unreconciledRows(disk);
    if (unreconciled.length > 0) return reconcileRows(disk, unreconciled);
    const unknown = unknownResults(disk, this.results);
    if (unknown.length > 0) return readResults(disk, unknown, this.results);
    return disk.listChanges.isDue(this.lists, disk.log.lastSeen) ? this.#extendLists() : undefined;
  }

  async #extendLists(): Promise<void> {
    this.lists = await extendedLists(this.#disk);
  }
}

/**
 * Merges the stored versions of rows that were received from elsewhere while they were on disk.
 *
 * @param shouldContinue - waits for idle time; false ends it
 */
export async function reconcileRestored(disk: Disk, shouldContinue: () => Promise<boolean>): Promise<void> {
  const { syncStates } = disk;
  const isInMemory = (table: string, pk: string): boolean => disk.state?.tables[table]?.get(pk) !== undefined;
  const unreconciled = [...rowRefs(syncStates.unreconciled(isInMemory))].filter(
    ([table, pk]) => syncStates.get(table, pk) === 'needsMerge',
  );
  for (let start = 0; start < unreconciled.length && (await shouldContinue()); start += SLICE)
    await reconcileRows(disk, unreconciled.slice(start, start + SLICE).flat());
}

/** Merges into memory what other tabs have written, as of the last refresh of the disk. */
export async function catchUp(disk: Disk): Promise<void> {
  const { localResets, syncStates, state } = disk;
  const { outdated } = disk.directory;
  if (state === undefined) return;
  const results = [...outdated];
  const unreconciled = syncStates.unreconciled((table, pk) => state.tables[table]?.get(pk) !== undefined);
  for (let start = 0; start < unreconciled.length && localResets === disk.localResets; start += 2 * SLICE)
    await reconcileRows(disk, unreconciled.slice(start, start + 2 * SLICE));
  for (let start = 0; start < results.length && localResets === disk.localResets; start += SLICE) {
    const slice = results.slice(start, start + SLICE);
    // They may become outdated again while they are read.
    for (const key of slice) outdated.delete(key);
    const found = await disk.reader.readReachable({ results: slice }).catch((cause: unknown) => {
      if (localResets === disk.localResets) for (const key of slice) outdated.add(key);
      throw cause;
    });
    if (localResets !== disk.localResets) return;
    mergeFound(disk, found);
  }
}

async function reconcileRows(disk: Disk, unreconciled: Refs): Promise<void> {
  const { reader, syncStates, localResets } = disk;
  const found = await reader.readReachable({ rows: [...rowRefs(unreconciled)] });
  if (localResets !== disk.localResets) return;
  const { lastSeen } = disk.log;
  mergeFound(disk, found);
  for (const [table, pk] of rowRefs(unreconciled)) {
    const syncState = syncStates.get(table, pk);
    if (syncState === 'needsMerge' && found.lastSeen === lastSeen) syncStates.set(table, pk, 'synced');
    else if (syncState === 'unverified') syncStates.delete(table, pk);
  }
}

/** The pending rows of which disk may have an unseen version. */
function unreconciledRows({ pending, syncStates }: Disk): Refs {
  const unreconciled: string[] = [];
  for (const [table, rows] of pending.rows) {
    for (const pk of rows.keys()) {
      const syncState = syncStates.get(table, pk);
      if (syncState === 'unverified' && syncStates.isComplete(table)) syncStates.delete(table, pk);
      else if (needsReconcile(syncState)) unreconciled.push(table, pk);
    }
  }
  return unreconciled;
}

/** Pending results on disk whose references only the disk knows, for example a restored result that was invalidated. */
function unknownResults(
  { pending, directory, controller }: Disk,
  known: ReadonlyMap<string, unknown>,
): string[] {
  const unknown: string[] = [];
  for (const key of pending.results.keys()) {
    if (unknown.length === SLICE) break;
    if (directory.results.has(key) && !known.has(key) && controller.schemaOf(key) === undefined)
      unknown.push(key);
  }
  return unknown;
}

async function readResults(
  { reader }: Disk,
  keys: readonly string[],
  results: Map<string, DiskResult | undefined>,
): Promise<void> {
  for (const key of keys) results.set(key, undefined);
  for (const result of await reader.results(keys)) results.set(result.key, result);
}

/** The lists that are only on disk, with pending changes applied. */
async function extendedLists(disk: Disk): Promise<ExtendedLists> {
  const { listChanges, reader, syncStates, log } = disk;
  const waiting = [...listChanges.waiting];
  const rows: (readonly [string, string, StoredRow])[] = [];
  const renamed: string[] = [];
  let { lastSeen } = log;
  for (const table of new Set(waiting.map((change) => change.table))) {
    if (syncStates.isInMemory(table)) continue;
    const found = await reader.shards(table);
    lastSeen = Math.min(lastSeen, found.lastSeen);
    for (const list of found.rows) {
      const { pk } = list;
      if (disk.state?.tables[table]?.get(pk) !== undefined) continue;
      const collectedRow = disk.pending.rows.get(table)?.get(pk)?.collectedRow;
      const before: StoredRow = newer({ value: list.value, meta: list.meta }, collectedRow ?? list);
      const row = withChanges(disk, table, pk, before, waiting);
      if (row !== before) rows.push([table, pk, row]);
      // Memory moves it to its new pk, which decides what belongs in it.
      else if (disk.controller.currentList(pk, before.meta) !== pk) renamed.push(table, pk);
    }
  }
  if (renamed.length > 0) await reconcileRows(disk, renamed);
  return { count: waiting.length, lastSeen, rows };
}
