import { isRecord } from '../../shared/guards.ts';
import type { StorageView } from '../storage/Storage.ts';
import type { SideChange } from '../writing/side.ts';

/** A row on the last screen. */
export type ScreenRow = readonly [table: string, pk: string];

/** It is stored among the records of plugins. */
const PLUGIN = 'indexeddb';
const KEY = 'screen';

/**
 * The record of the rows that live queries show: names alone, since it is written at page unload. Without rows it is
 * deleted.
 */
export function screenRecord(rows: readonly ScreenRow[]): SideChange {
  return { plugin: PLUGIN, key: KEY, record: rows.length === 0 ? undefined : { rows } };
}

/** The rows of the last screen; none if the record cannot be read, since it only saves time. */
export async function lastScreen(view: StorageView): Promise<readonly ScreenRow[]> {
  const records = await view.side(PLUGIN).catch(() => []);
  const record = records.find(([key]) => key === KEY)?.[1];
  const rows: unknown = isRecord(record) ? record['rows'] : undefined;
  return Array.isArray(rows) ? rows.filter(isScreenRow) : [];
}

function isScreenRow(row: unknown): row is ScreenRow {
  return Array.isArray(row) && typeof row[0] === 'string' && typeof row[1] === 'string';
}
