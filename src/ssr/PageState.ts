import type { Controller } from '../controller/Controller.ts';
import {
  readEndpoint,
  readQueryable,
  type ReadResult,
  type ReadSource,
} from '../controller/reads/readResult.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import { isSameWrite } from '../schema/order.ts';
import { EntityRegistry } from '../store/EntityRegistry.ts';
import { rowOf, type State, type StoredResult, type StoredRow } from '../store/State.ts';
import { transact } from '../store/transaction.ts';
import { mergeRows } from '../store/writeEntity.ts';
import type { NormalizeRows } from '../views/InlineRows.ts';
import { Views } from '../views/Views.ts';
import type { StateDelta } from './changesSince.ts';

/**
 * The state from which a streamed page is rendered, on the server and during hydration: data that has been shown
 * stays, and later data only adds what was missing. So all parts of the page agree with each other and with their
 * HTML, in whatever order they are rendered, sent and hydrated.
 *
 * While the store agrees with it, it is the store's state itself. Afterwards it is a separate state, which shares all
 * unchanged data with the store and denormalizes only what differs.
 */
export class PageState {
  readonly #controller: Controller;
  readonly #store: { head: State };
  #views: Views | undefined;

  constructor(controller: Controller, state: State) {
    this.#controller = controller;
    this.#store = { head: state };
  }

  get state(): State {
    return this.#store.head;
  }

  /** The store's state has become this one, without any visible change. */
  follow(before: State, after: State): void {
    if (before !== this.#store.head) return;
    this.#store.head = after;
    this.#views = undefined;
  }

  /**
   * Adds incoming data.
   *
   * @param before - the store's state without it
   * @param after - the store's state including it
   */
  take({ rows, results }: StateDelta, before: State, after: State): void {
    const showsSame =
      rows.every(([table, pk, row]) => isAdded(row, rowOf(before, table, pk), rowOf(after, table, pk))) &&
      results.every(([key, result]) => isAdded(result, before.results.get(key), after.results.get(key)));
    if (showsSame && before === this.#store.head) {
      this.follow(before, after);
      return;
    }
    const { state, changes } = transact(this.#store.head, (writer) => {
      for (const [table, pk, row] of rows) writer.setRow(table, pk, filledIn(writer.row(table, pk), row));
      for (const [key, result] of results) if (!hasData(writer.result(key))) writer.setResult(key, result);
    });
    this.#store.head = state;
    this.#views?.apply(changes, new Set());
  }

  /** The result of a read; `current`, the store's result, if they are equal. */
  result(
    endpoint: EndpointInterface,
    key: string,
    args: readonly unknown[],
    current: ReadResult,
  ): ReadResult {
    const source = this.#divergedSource();
    if (source === undefined) return current;
    const served = readEndpoint(source, endpoint, key, args);
    return served.error === current.error && isSameDenormalized(served.data, current.data) ? current : served;
  }

  /** The result of a queryable; `current`, the store's result, if they are equal. */
  query(queryable: Schema, args: readonly unknown[], current: unknown): unknown {
    const source = this.#divergedSource();
    if (source === undefined) return current;
    const served = readQueryable(source.views, queryable, args);
    return isSameDenormalized(served, current) ? current : served;
  }

  /** The page's state, once it differs from the store's. */
  #divergedSource(): ReadSource | undefined {
    if (this.#controller.getState() === this.#store.head) return undefined;
    const views = (this.#views ??= this.#viewsOfState());
    return { store: this.#store, views };
  }

  #viewsOfState(): Views {
    const normalize: NormalizeRows = (recipe) => {
      const { state, changes } = transact(this.#store.head, recipe);
      this.#store.head = state;
      views.apply(changes, new Set());
    };
    const views = new Views(this.#store, new EntityRegistry(), { normalize });
    return views;
  }
}

/** Whether the incoming data is stored, and shows nothing but what was there. */
function isAdded<T extends StoredRow | StoredResult>(
  incoming: T,
  before: T | undefined,
  after: T | undefined,
): boolean {
  if (after === undefined || !isSameWrite(incoming.meta, after.meta)) return false;
  return before === undefined || before.value === after.value;
}

/**
 * A row that is shown, with additional fields of another version. Only the fields count, so that server and page do
 * the same.
 */
function filledIn(shown: StoredRow | undefined, other: StoredRow): StoredRow {
  if (shown === undefined) return other;
  const older = { ...shown.meta, order: shown.meta.order - 1 };
  return mergeRows(undefined, shown, { value: other.value, meta: older });
}

/** Whether a result has been shown, so that another one must not replace it. */
function hasData(result: StoredResult | undefined): boolean {
  return result?.value !== undefined && result.invalidated !== true;
}

/**
 * Whether two denormalized values look the same: entities of one class and plain objects by their fields, lists by
 * their items, Dates by their time, all else by identity. Iterative, and terminates for circular values.
 */
function isSameDenormalized(first: unknown, second: unknown): boolean {
  const visited = new Map<object, object>();
  const stack: [unknown, unknown][] = [[first, second]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    const known = visited.get(left);
    if (known === right) continue;
    // If one object on the left is two on the right, calling them different does no harm.
    if (known !== undefined || Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
    visited.set(left, right);
    if (left instanceof Date) {
      if (!Object.is(left.getTime(), (right as Date).getTime())) return false; // of the same class
      continue;
    }
    const fields = Object.keys(left);
    // Maps, Temporal's classes and others store their contents elsewhere.
    if (fields.length !== Object.keys(right).length || (fields.length === 0 && isOpaque(left))) return false;
    for (const field of fields) {
      if (!Object.hasOwn(right, field)) return false;
      stack.push([(left as Fields)[field], (right as Fields)[field]]); // own fields of both
    }
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function isOpaque(value: object): boolean {
  return !Array.isArray(value) && Object.prototype.toString.call(value) !== '[object Object]';
}
