import type { EntityValue, Meta } from 'holdfast';
import { isRecord } from '../../shared/guards.ts';
import { NO_REFS, type Decoding, type DiskRow } from './records.ts';
import { decodeRefs, encodeRefs, TableNames, type RefsCode } from './refsCode.ts';
import { META_WIDTH, writeMeta } from './SharedMetas.ts';

/** Encoded rows: in columns, so that field names are not repeated, with shared table names and metas stored once. */
export interface RowBlock {
  /** The table names that `table` and `refs` point to. */
  readonly names: readonly string[];
  /** Five numbers for each meta. */
  readonly metas: readonly number[];
  readonly table: readonly number[];
  readonly pk: readonly string[];
  readonly value: readonly (EntityValue | undefined)[];
  readonly meta: readonly number[];
  /** Absent if no row has references. */
  readonly refs?: readonly RefsCode[];
  /** Index of a tombstone, and when it was compacted, in ms since the epoch. Few rows have it. */
  readonly foldedAt?: readonly (readonly [place: number, at: number])[];
  /** The app's version of the rows; 0 if there is none. */
  readonly version?: number;
}

/**
 * Encodes rows.
 *
 * @param version - the app's version of its rows
 */
export function encodeRows(rows: Iterable<DiskRow>, version: number): RowBlock {
  const names = new TableNames();
  const indexes = new Map<Meta, number>();
  const metas: number[] = [];
  const table: number[] = [];
  const pk: string[] = [];
  const value: (EntityValue | undefined)[] = [];
  const meta: number[] = [];
  const refs: RefsCode[] = [];
  const foldedAt: [number, number][] = [];
  for (const row of rows) {
    let index = indexes.get(row.meta);
    if (index === undefined) {
      indexes.set(row.meta, (index = indexes.size));
      writeMeta(metas, row.meta);
    }
    if (row.foldedAt !== undefined) foldedAt.push([pk.length, row.foldedAt]);
    table.push(names.indexOf(row.table));
    pk.push(row.pk);
    value.push(row.value);
    meta.push(index);
    refs.push(encodeRefs(row.refs, names));
  }
  return {
    names: names.list,
    metas,
    table,
    pk,
    value,
    meta,
    ...(refs.every((code) => code.length === 0) ? {} : { refs }),
    ...(foldedAt.length === 0 ? {} : { foldedAt }),
    ...(version === 0 ? {} : { version }),
  };
}

/**
 * Decodes rows. Invalid ones are skipped and reported.
 *
 * @param where - the record's name for `unreadable`
 */
export function decodeRows(block: unknown, where: string, decoding: Decoding): DiskRow[] {
  const { unreadable } = decoding;
  if (!isRecord(block)) {
    unreadable(where);
    return [];
  }
  const { names, metas, table, pk, value, meta, refs, foldedAt, version = 0 } = block;
  const isWhole = [names, metas, table, pk, value, meta].every(Array.isArray);
  if (!isWhole || (refs !== undefined && !Array.isArray(refs))) {
    unreadable(where);
    return [];
  }
  const columns = { names, metas, table, pk, value, meta, refs } as Columns; // lists, checked above
  const decodedMetas: (Meta | undefined)[] = [];
  for (let index = 0; index < columns.metas.length; index += META_WIDTH)
    decodedMetas.push(decoding.metas.at(columns.metas, index));
  const left = new Map<unknown, unknown>(Array.isArray(foldedAt) ? foldedAt.filter(isPair) : []); // pairs are checked below
  const rows: DiskRow[] = [];
  for (let index = 0; index < columns.pk.length; index++) {
    const row = rowAt(columns, decodedMetas, index);
    if (row === undefined) {
      unreadable(`${where}, row ${index}`);
      continue;
    }
    const at = left.get(index);
    const whole = typeof at === 'number' ? { ...row, foldedAt: at } : row;
    const upgraded = version === decoding.version ? whole : decoding.upgrade(whole, Number(version));
    if (upgraded !== undefined) rows.push(upgraded);
  }
  return rows;
}

type Columns = Record<'names' | 'metas' | 'table' | 'pk' | 'value' | 'meta', readonly unknown[]> & {
  readonly refs: readonly unknown[] | undefined;
};

function rowAt(columns: Columns, metas: readonly (Meta | undefined)[], index: number): DiskRow | undefined {
  const table = columns.names[columns.table[index] as number]; // any other key gives no string, which is checked
  const pk = columns.pk[index];
  const value = columns.value[index];
  const meta = metas[columns.meta[index] as number]; // likewise
  const refs = columns.refs === undefined ? NO_REFS : decodeRefs(columns.refs[index], columns.names);
  if (typeof table !== 'string' || typeof pk !== 'string' || meta === undefined || refs === undefined)
    return undefined;
  if (value !== undefined && !isRecord(value)) return undefined;
  return { table, pk, value, meta, refs };
}

function isPair(member: unknown): member is [unknown, unknown] {
  return Array.isArray(member);
}
