import type { Controller } from '../controller/Controller.ts';
import { readEndpoint, readQueryable, type Reading, type Source } from '../controller/reading.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import { isSameWrite } from '../schema/order.ts';
import { EntityRegistry } from '../store/EntityRegistry.ts';
import { rowOf, type State, type StoredResult, type StoredRow } from '../store/State.ts';
import { transact } from '../store/transaction.ts';
import { mergeRows } from '../store/writeEntity.ts';
import { Views } from '../views/Views.ts';
import type { Brought } from './changesSince.ts';
import { isSameJoined } from './isSameJoined.ts';

/**
 * What a streamed page is rendered from, on the server and while it hydrates: what has once been shown of a row stays,
 * and what comes later only fills in what was not there. So all parts of the page agree with each other, and with
 * their HTML, in whatever order they are rendered, sent and hydrated.
 *
 * As long as that is what the store has, it is the store's state itself; then it is kept beside, sharing with the store
 * all that has not changed, and joined anew only for what shows something else by now.
 */
export class PageState {
  readonly #controller: Controller;
  #state: State;
  #views: Views | undefined;

  constructor(controller: Controller, state: State) {
    this.#controller = controller;
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  /** The store's state has become this without showing anything else. */
  follow(before: State, after: State): void {
    if (before !== this.#state) return;
    this.#state = after;
    this.#views = undefined;
  }

  /**
   * Takes in what came.
   *
   * @param before - the store's state without it
   * @param after - the store's state with it
   */
  take({ rows, results }: Brought, before: State, after: State): void {
    const showsSame =
      rows.every(([table, pk, row]) => isAdded(row, rowOf(before, table, pk), rowOf(after, table, pk))) &&
      results.every(([key, result]) => isAdded(result, before.results.get(key), after.results.get(key)));
    if (showsSame && before === this.#state) {
      this.follow(before, after);
      return;
    }
    const { state, changes } = transact(this.#state, (writer) => {
      for (const [table, pk, row] of rows) writer.setRow(table, pk, filledIn(writer.row(table, pk), row));
      for (const [key, result] of results) if (!hasData(writer.result(key))) writer.setResult(key, result);
    });
    this.#state = state;
    this.#views?.apply(changes, new Set());
  }

  /** What a read shows; `now`, which the store shows, where it is the same. */
  result(endpoint: EndpointInterface, key: string, args: readonly unknown[], now: Reading): Reading {
    const source = this.#movedFrom();
    if (source === undefined) return now;
    const served = readEndpoint(source, endpoint, key, args);
    return served.error === now.error && isSameJoined(served.data, now.data) ? now : served;
  }

  /** What a queryable shows; `now`, which the store shows, where it is the same. */
  query(queryable: Schema, args: readonly unknown[], now: unknown): unknown {
    const source = this.#movedFrom();
    if (source === undefined) return now;
    const served = readQueryable(source.views, queryable, args);
    return isSameJoined(served, now) ? now : served;
  }

  /** The page's state, where the store is no longer that. */
  #movedFrom(): Source | undefined {
    if (this.#controller.getState() === this.#state) return undefined;
    const views = (this.#views ??= this.#viewsOfState());
    return { store: { head: this.#state }, views };
  }

  #viewsOfState(): Views {
    const views: Views = new Views(
      () => this.#state,
      new EntityRegistry(),
      undefined,
      undefined,
      (recipe) => {
        const { state, changes } = transact(this.#state, recipe);
        this.#state = state;
        views.apply(changes, new Set());
      },
    );
    return views;
  }
}

/** Whether what came is stored now, and shows nothing else than what was there. */
function isAdded<T extends StoredRow | StoredResult>(
  came: T,
  before: T | undefined,
  after: T | undefined,
): boolean {
  if (after === undefined || !isSameWrite(came.meta, after.meta)) return false;
  return before === undefined || before.value === after.value;
}

/** A row that is shown with what another version has besides. By fields alone, so that server and page do the same. */
function filledIn(shown: StoredRow | undefined, other: StoredRow): StoredRow {
  if (shown === undefined) return other;
  const older = { ...shown.meta, order: shown.meta.order - 1 };
  return mergeRows(undefined, shown, { value: other.value, meta: older });
}

/** Whether a result has been shown, so that another must not take its place. */
function hasData(result: StoredResult | undefined): boolean {
  return result?.value !== undefined && result.invalidated !== true;
}
