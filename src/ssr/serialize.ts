import type { Controller } from '../controller/Controller.ts';
import type { Meta } from '../schema/Meta.ts';
import type { State, StoredResult } from '../store/State.ts';
import { warn } from '../util/errors.ts';
import { changesSince, type Brought } from './changesSince.ts';
import { encode, NotSerializable } from './encoding.ts';
import { LAYOUT, type MetaText, type StateText } from './StateText.ts';

/**
 * What a controller, or a state of it, has in memory, as text that may stand in a `<script>` element of an HTML page
 * as it is: nothing in the data can end the element or begin a comment. Rows and results keep their times and orders;
 * errors are not part of it. `Infinity`, `NaN`, `-0`, `undefined`, bigints, Dates, Maps and Sets survive.
 *
 * A value of another kind, such as a Blob, costs its result, which the page then fetches itself; in a row it costs all
 * results, since any of them may reach the row. Development builds warn of it.
 *
 * @example
 * const state = serialize(controller);
 * const html = `<script type="application/json" id="state">${state}</script>`;
 */
export function serialize(source: Controller | State): string {
  return 'tables' in source
    ? serializeBrought(changesSince(source, undefined), Date.now())
    : serializeBrought(changesSince(source.getState(), undefined), source.now());
}

/**
 * The same for some rows and results.
 *
 * @param now - the clock that the times are of, in ms since the epoch
 * @param pending - the keys of reads whose answers are still to come
 */
export function serializeBrought(brought: Brought, now: number, pending: readonly string[] = []): string {
  const metas = new Metas();
  let isWhole = true;
  const tables: [string, [string, number, unknown?][]][] = [];
  for (const [table, pk, row] of brought.rows) {
    let last = tables.at(-1);
    if (last?.[0] !== table) tables.push((last = [table, []]));
    try {
      const place = metas.placeOf(row.meta);
      last[1].push(row.value === undefined ? [pk, place] : [pk, place, encode(row.value)]);
    } catch (error) {
      isWhole = false;
      leftOut(`row ${table} ${JSON.stringify(pk)}`, error);
    }
  }
  const results: [string, number, unknown, string | null, boolean][] = [];
  for (const [key, result] of brought.results) {
    if (!isWhole || isErrorOnly(result)) continue;
    try {
      const { shape = null, invalidated = false } = result;
      results.push([key, metas.placeOf(result.meta), encode(result.value), shape, invalidated]);
    } catch (error) {
      leftOut(`result ${key}`, error);
    }
  }
  const text: StateText = {
    layout: LAYOUT,
    now,
    metas: metas.texts,
    tables,
    results,
    ...(pending.length > 0 && { pending }),
  };
  return safe(JSON.stringify(text));
}

/** A failed read without data: the page tries itself. */
function isErrorOnly({ error, value, invalidated }: StoredResult): boolean {
  return error !== undefined && value === undefined && invalidated !== true;
}

/** Gives each set of times, which the rows of one response share, a place in a list. */
class Metas {
  readonly texts: MetaText[] = [];
  readonly #places = new Map<Meta, number>();

  placeOf(meta: Meta): number {
    let place = this.#places.get(meta);
    if (place === undefined) {
      const { requestedAt, receivedAt, expiresAt, order, answered } = meta;
      place = this.texts.push([requestedAt, receivedAt, finite(expiresAt), order, answered]) - 1;
      this.#places.set(meta, place);
    }
    return place;
  }
}

function finite(time: number): number | null {
  return time === Infinity ? null : time;
}

function leftOut(what: string, error: unknown): void {
  if (!(error instanceof NotSerializable)) throw error;
  if (process.env.NODE_ENV !== 'production')
    warn(
      'HF_NOT_SERIALIZABLE',
      `The ${what} holds ${Object.prototype.toString.call(error.value)}, which cannot be sent to the page, so the page will fetch; store plain data`,
    );
}

/** All of these stand inside strings, where an escape means the same. */
function safe(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
