import type { EntityValue, Meta } from 'holdfast';
import { isRecord } from './metaShape.ts';
import { NO_REFS, type Decoding, type DiskRow } from './records.ts';
import { decodeRefs, encodeRefs, Names, type RefsCode } from './refsCode.ts';
import { META_WIDTH, writeMeta } from './SharedMetas.ts';

/**
 * Rows as one record holds them: by column, so that no field name is written once a row, and with what rows share
 * (table names, the meta of one response) written once.
 */
export interface RowBlock {
  /** The table names that `table` and `refs` point to. */
  readonly names: readonly string[];
  /** Five numbers a meta. */
  readonly metas: readonly number[];
  readonly table: readonly number[];
  readonly pk: readonly string[];
  readonly value: readonly (EntityValue | undefined)[];
  readonly meta: readonly number[];
  /** Absent where none of the rows names any. */
  readonly refs?: readonly RefsCode[];
  /** Place of a tombstone and when it left the log, in ms since the epoch. Few rows have it. */
  readonly foldedAt?: readonly (readonly [place: number, at: number])[];
  /** The app's version that the rows are of; 0 where there is none. */
  readonly version?: number;
}

/**
 * Rows as a record holds them.
 *
 * @param version - the app's, of which the rows are
 */
export function encodeRows(rows: Iterable<DiskRow>, version: number): RowBlock {
  const names = new Names();
  const places = new Map<Meta, number>();
  const metas: number[] = [];
  const table: number[] = [];
  const pk: string[] = [];
  const value: (EntityValue | undefined)[] = [];
  const meta: number[] = [];
  const refs: RefsCode[] = [];
  const foldedAt: [number, number][] = [];
  for (const row of rows) {
    let place = places.get(row.meta);
    if (place === undefined) {
      places.set(row.meta, (place = places.size));
      writeMeta(metas, row.meta);
    }
    if (row.foldedAt !== undefined) foldedAt.push([pk.length, row.foldedAt]);
    table.push(names.place(row.table));
    pk.push(row.pk);
    value.push(row.value);
    meta.push(place);
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
 * The rows of a block as it was read. Whatever is not of our shape is left out alone and told of.
 *
 * @param where - names the record to `unreadable`
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
  const known: (Meta | undefined)[] = [];
  for (let place = 0; place < columns.metas.length; place += META_WIDTH)
    known.push(decoding.metas.at(columns.metas, place));
  const left = new Map<unknown, unknown>(Array.isArray(foldedAt) ? foldedAt.filter(isPair) : []); // what is in a pair is checked where it is used
  const rows: DiskRow[] = [];
  for (let place = 0; place < columns.pk.length; place++) {
    const row = rowAt(columns, known, place);
    if (row === undefined) {
      unreadable(`${where}, row ${place}`);
      continue;
    }
    const at = left.get(place);
    const whole = typeof at === 'number' ? { ...row, foldedAt: at } : row;
    const upgraded = version === decoding.version ? whole : decoding.upgrade(whole, Number(version));
    if (upgraded !== undefined) rows.push(upgraded);
  }
  return rows;
}

type Columns = Record<'names' | 'metas' | 'table' | 'pk' | 'value' | 'meta', readonly unknown[]> & {
  readonly refs: readonly unknown[] | undefined;
};

function rowAt(columns: Columns, metas: readonly (Meta | undefined)[], place: number): DiskRow | undefined {
  const table = columns.names[columns.table[place] as number]; // any other key gives no string, which is checked
  const pk = columns.pk[place];
  const value = columns.value[place];
  const meta = metas[columns.meta[place] as number]; // likewise
  const refs = columns.refs === undefined ? NO_REFS : decodeRefs(columns.refs[place], columns.names);
  if (typeof table !== 'string' || typeof pk !== 'string' || meta === undefined || refs === undefined)
    return undefined;
  if (value !== undefined && !isRecord(value)) return undefined;
  return { table, pk, value, meta, refs };
}

function isPair(member: unknown): member is [unknown, unknown] {
  return Array.isArray(member);
}
