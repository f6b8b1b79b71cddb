import type { Controller } from '../controller/Controller.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import type { Meta } from '../schema/Meta.ts';
import type { State, StoredResult } from '../store/State.ts';
import { warn } from '../util/errors.ts';
import { changesSince, type StateDelta } from './changesSince.ts';
import { encode, NotSerializable } from '../util/encoding.ts';
import { LAYOUT, type MetaText, type StateText } from './StateText.ts';

/**
 * The confirmed data of a controller, or the data of a state, in memory, as text that can be placed in a `<script>`
 * element of an HTML page: nothing in the data can end the element or start a comment. Rows and results keep their
 * times and orders; errors and optimistic updates are left out. `Infinity`, `NaN`, `-0`, `undefined`, bigints, Dates,
 * Maps and Sets are preserved.
 *
 * If a result contains a value of another kind, such as a Blob, the result is left out and the page fetches it; if a
 * row contains one, all results are left out, since any of them may reach the row. Development builds warn about it.
 *
 * @example
 * const state = serialize(controller);
 * const html = `<script type="application/json" id="state">${state}</script>`;
 */
export function serialize(source: Controller | State): string {
  return 'tables' in source
    ? serializeDelta(changesSince(source, undefined), Date.now())
    : serializeDelta(changesSince(internalsOf(source).core.store.base, undefined), source.now());
}

/**
 * The same for some rows and results.
 *
 * @param now - the clock that the times are of, in ms since the epoch
 * @param pending - the keys of reads that are pending
 */
export function serializeDelta(delta: StateDelta, now: number, pending: readonly string[] = []): string {
  const metas = new Metas();
  let isWhole = true;
  const tables: [string, [string, number, unknown?][]][] = [];
  for (const [table, pk, row] of delta.rows) {
    let last = tables.at(-1);
    if (last?.[0] !== table) tables.push((last = [table, []]));
    try {
      const place = metas.placeOf(row.meta);
      const value = row.movedTo ?? (row.value && encode(row.value));
      last[1].push(value === undefined ? [pk, place] : [pk, place, value]);
    } catch (error) {
      isWhole = false;
      leftOut(`row ${table} ${JSON.stringify(pk)}`, error);
    }
  }
  const results: [string, number, unknown, string | null, boolean][] = [];
  for (const [key, result] of delta.results) {
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

/** A failed read without data: the page fetches it. */
function isErrorOnly({ error, value, invalidated }: StoredResult): boolean {
  return error !== undefined && value === undefined && invalidated !== true;
}

/** Adds metadata, which the rows of one response share, to a list and returns its index. */
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
  return time === Infinity ? null : Math.max(0, time);
}

function leftOut(what: string, error: unknown): void {
  if (!(error instanceof NotSerializable)) throw error;
  if (process.env.NODE_ENV !== 'production')
    warn(
      'HF_NOT_SERIALIZABLE',
      `The ${what} holds ${Object.prototype.toString.call(error.value)}, which cannot be sent to the page, so the page will fetch it; store plain data`,
    );
}

/** All of these occur only in strings, where an escape is equivalent. */
function safe(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
