import type { EntityValue, Meta } from '../schema/Meta.ts';
import type { Restored } from '../controller/Plugin.ts';
import { HoldfastError } from '../util/errors.ts';
import { decode, isEncoded } from './encoding.ts';

/** Rises when the layout changes: a page and its script may be of different versions. */
export const LAYOUT = 1;

/** Times and orders of a response; null stands for `Infinity`. */
export type MetaText = readonly [
  requestedAt: number,
  receivedAt: number,
  expiresAt: number | null,
  order: number,
  answered: number,
];

/** How rows and results are laid out as JSON. What shares a response names its times by their place in `metas`. */
export interface StateText {
  readonly layout: typeof LAYOUT;
  /** The server's clock, in ms since the epoch. */
  readonly now: number;
  readonly metas: readonly MetaText[];
  /** Without a value: a deleted entity. Of two versions of a row, the page was rendered from the first. */
  readonly tables: readonly (readonly [
    table: string,
    rows: readonly (readonly [pk: string, meta: number, value?: unknown])[],
  ])[];
  readonly results: readonly (readonly [
    key: string,
    meta: number,
    value: unknown,
    shape: string | null,
    invalidated: boolean,
  ])[];
  /** The keys of reads that the server is waiting for. */
  readonly pending?: readonly string[];
}

/** Rows and results as a server knew them. */
export interface ServerData {
  /** Its clock when it sent them, in ms since the epoch. */
  readonly now: number;
  /** The keys of reads whose answers it had yet to get then. */
  readonly pending: readonly string[];
  /** @param shift - added to every time, in ms */
  restored(shift: number): Restored;
}

/**
 * Reads what `serialize` wrote.
 *
 * @throws HoldfastError `HF_INITIAL_STATE`
 */
export function parseState(text: string): ServerData {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isStateText(parsed)) throw new TypeError('it is of another version, or none of ours');
    if (isEncoded(text)) decode(parsed);
    const { now, pending = [] } = parsed;
    const data: ServerData = { now, pending, restored: (shift) => restored(parsed, shift) };
    data.restored(0);
    return data;
  } catch (cause) {
    throw new HoldfastError(
      'HF_INITIAL_STATE',
      `The state that the page brought cannot be read: ${(cause as Error).message}; pass the text that serialize() gave, unchanged`, // the above throws errors
      { cause },
    );
  }
}

function isStateText(parsed: unknown): parsed is StateText {
  return typeof parsed === 'object' && parsed !== null && 'layout' in parsed && parsed.layout === LAYOUT;
}

function restored({ metas, tables, results }: StateText, shift: number): Restored {
  const times = metas.map(([requestedAt, receivedAt, expiresAt, order, answered]): Meta => {
    if (!Number.isFinite(order + answered)) throw new TypeError('an order is no number');
    return {
      requestedAt: requestedAt + shift,
      receivedAt: receivedAt + shift,
      expiresAt: (expiresAt ?? Infinity) + shift,
      order,
      answered,
    };
  });
  const metaAt = (place: number): Meta => {
    const meta = times[place];
    if (meta === undefined) throw new TypeError('times are missing');
    return meta;
  };
  return {
    rows: tables.flatMap(([table, rows]) =>
      // Rows are plain objects, as they were stored.
      rows.map(
        ([pk, meta, value]) => [table, pk, { value: value as EntityValue, meta: metaAt(meta) }] as const,
      ),
    ),
    results: results.map(
      ([key, meta, value, shape, invalidated]) =>
        [
          key,
          {
            value,
            meta: metaAt(meta),
            ...(shape !== null && { shape }),
            ...(invalidated && { invalidated }),
          },
        ] as const,
    ),
  };
}
