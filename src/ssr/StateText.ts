import type { EntityValue, Meta } from '../schema/Meta.ts';
import type { Restored } from '../controller/plugins/StoragePlugin.ts';
import { HoldfastError } from '../util/errors.ts';
import { decode, isEncoded } from '../util/encoding.ts';

/** Incremented when the format changes: a page and its script may have different versions. */
export const LAYOUT = 1;

/** Times and order of a response; null stands for `Infinity`. */
export type MetaText = readonly [
  requestedAt: number,
  receivedAt: number,
  expiresAt: number | null,
  order: number,
  answered: number,
];

/** The JSON format of rows and results. Values of one response share an index into `metas`. */
export interface StateText {
  readonly layout: typeof LAYOUT;
  /** The server's clock, in ms since the epoch. */
  readonly now: number;
  readonly metas: readonly MetaText[];
  /**
   * Without a value: a deleted entity. With a text: a renamed one, and its pk. If there are two versions of a row, the page
   * was rendered from the first.
   */
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
  /** The keys of reads that are pending on the server. */
  readonly pending?: readonly string[];
}

/** Rows and results of a server. */
export interface ServerData {
  /** Its clock when it sent them, in ms since the epoch. */
  readonly now: number;
  /** The keys of reads that were pending then. */
  readonly pending: readonly string[];
  /** @param shift - added to every time, in ms */
  restored(shift: number): Restored;
}

/**
 * Parses the text of `serialize`.
 *
 * @throws HoldfastError `HF_INITIAL_STATE`
 */
export function parseState(text: string): ServerData {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isStateText(parsed)) throw new TypeError('it has another version, or another format');
    if (isEncoded(text)) decode(parsed);
    const { now, pending = [] } = parsed;
    const data: ServerData = { now, pending, restored: (shift) => restored(parsed, shift) };
    data.restored(0);
    return data;
  } catch (cause) {
    throw new HoldfastError(
      'HF_INITIAL_STATE',
      `The state in the page cannot be parsed: ${(cause as Error).message}; pass the text of serialize() unchanged`, // the above throws errors
      { cause },
    );
  }
}

function isStateText(parsed: unknown): parsed is StateText {
  return typeof parsed === 'object' && parsed !== null && 'layout' in parsed && parsed.layout === LAYOUT;
}

function restored({ metas, tables, results }: StateText, shift: number): Restored {
  const times = metas.map(([requestedAt, receivedAt, expiresAt, order, answered]): Meta => {
    if (!Number.isFinite(order + answered)) throw new TypeError('an order is not a number');
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
      rows.map(([pk, place, value]) => {
        const meta = metaAt(place);
        return typeof value === 'string'
          ? ([table, pk, { value: undefined, meta, movedTo: value }] as const)
          : ([table, pk, { value: value as EntityValue, meta }] as const);
      }),
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
