import { RENAMES } from 'holdfast';
import { isRecord } from '../../shared/guards.ts';
import { NAME } from '../ControllerApi.ts';
import type { Log } from '../writing/WriteAheadLog.ts';
import type { StorageView } from '../storage/Storage.ts';
import type { SideChange } from '../writing/side.ts';
import { decodeBatch, encodeBatch } from './batchRecord.ts';
import type { Header } from './header.ts';
import { newer, newerRow } from './newer.ts';
import { rowRefs, type Decoding, type DiskRow, type WriteBatch } from './records.ts';

/** What was on screen when the page was last hidden: results, and all rows that are needed to show it. */
export type Screen = Pick<WriteBatch, 'rows' | 'results'>;

/** The state of the disk that a screen shows. */
export interface ScreenState {
  readonly epoch: number;
  /** Later evictions may have deleted its rows from disk. */
  readonly evictions: number;
  /** It includes the log up to this sequence number. */
  readonly through: number;
}

/** It is stored among the records of plugins, so it is read and written in the same transactions as the header. */
const KEY = 'screen';

/**
 * The record of a screen.
 *
 * @param version - the app's version of its rows
 */
export function encodeScreen(screen: Screen, state: ScreenState, version: number): SideChange {
  const record = { ...state, ...encodeBatch(screen, version) };
  return { plugin: NAME, key: KEY, record };
}

/** Deletes the record of a screen. */
export const noScreen: SideChange = { plugin: NAME, key: KEY, record: undefined };

/** Reads the record of a screen, which may be missing or damaged. */
export async function readScreen(view: StorageView): Promise<unknown> {
  const records = await view.side(NAME).catch(() => []);
  return records.find(([key]) => key === KEY)?.[1];
}

/**
 * Decodes the record of a screen, and merges it with what was logged since.
 *
 * @returns undefined if there is none, or if it is outdated or damaged: it is only a cache
 */
export function decodeScreen(
  record: unknown,
  { epoch, evictions, foldedThrough }: Header,
  log: Log,
  decoding: Decoding,
): Screen | undefined {
  if (!isRecord(record) || record.epoch !== epoch || record.evictions !== evictions) return undefined;
  // What was compacted since, or is lost, may be newer and is no longer in the log.
  if (typeof record.through !== 'number' || record.through < Math.max(foldedThrough, log.lostAt))
    return undefined;
  if (!isRecord(record.rows) || (record.rows.version ?? 0) !== decoding.version) return undefined;
  const damaged: string[] = [];
  const unreadable = (where: string): void => void damaged.push(where);
  const screen = decodeBatch(record, 'the last screen', { ...decoding, unreadable });
  if (damaged.length > 0) return undefined;
  return log.lastSeen > record.through ? withLogged(screen, log) : screen;
}

/**
 * The newest versions of what is on a screen.
 *
 * @returns undefined if a logged version refers to a row that is only in shards: then each read loads its data
 */
function withLogged(screen: Screen, log: Log): Screen | undefined {
  const results = screen.results.map((result) => {
    const logged = log.result(result.key);
    return logged === undefined ? result : newer(result, logged);
  });
  const stored = new Map(screen.rows.map((row) => [nameOf(row.table, row.pk), row]));
  const rows = new Map<string, DiskRow>();
  const waiting = [
    ...[...screen.rows, ...log.rowsOf(RENAMES)].flatMap(({ table, pk }) => [table, pk]),
    ...results.flatMap(({ refs }) => refs),
  ];
  for (const [table, pk] of rowRefs(waiting)) {
    const name = nameOf(table, pk);
    if (rows.has(name)) continue;
    const logged = log.row(table, pk);
    const row = logged === undefined ? stored.get(name) : newerRow(stored.get(name), logged);
    if (row === undefined) return undefined;
    rows.set(name, row);
    for (const part of row.refs) waiting.push(part);
  }
  return { rows: [...rows.values()], results };
}

const nameOf = (table: string, pk: string): string => JSON.stringify([table, pk]);
