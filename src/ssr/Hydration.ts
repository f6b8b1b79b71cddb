import type { CachedRead } from '../controller/reads/CachedRead.ts';
import type { Controller } from '../controller/Controller.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import type { ReadResult } from '../controller/reads/readResult.ts';
import type { StoreSchemas, HydrationSource } from '../controller/requests/HydrationSource.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import { emptyState, type StoredRow } from '../store/State.ts';
import { PageState } from './PageState.ts';
import type { ServerData } from './StateText.ts';
import { references } from '../schema/references.ts';

/** How long no component may have hydrated before the page counts as hydrated, in ms. */
const IDLE_TIME = 60_000;

/**
 * The state that the server rendered from. It is kept while parts of the page may still hydrate, whatever the store
 * contains by then: newer responses, data from disk, data from other tabs.
 *
 * React hydrates the first part as a whole, then each boundary by itself. Until the first part is hydrated, data that
 * arrives for later parts is in the store only.
 *
 * No event reports that the last part has hydrated, so the state is released after a minute without hydration. It
 * never grows beyond the contents of the page.
 */
export class Hydration implements HydrationSource {
  readonly #controller: Controller;
  #page: PageState;
  /** Adds data to the page that arrived after its first part; undefined once that part has hydrated. */
  #deferred: (() => void)[] | undefined = [];
  #hasBegun = false;
  #pending: ReadonlySet<string> = new Set();
  /** Listeners of `#pending`. */
  #waiting: (() => void)[] = [];
  #isOpen = true;
  #wasRead = false;
  #cancel: (() => void) | undefined;
  /** The maximum offset of the server's clock: the data sent last also took time to arrive. Undefined if unknown. */
  #lag: number | undefined;

  /** @param previous - the previous state of the controller */
  constructor(controller: Controller, previous?: Hydration) {
    this.#controller = controller;
    if (previous !== undefined) this.#lag = previous.#lag;
    const state = controller.getState();
    const isEmpty = state.results.size === 0 && Object.keys(state.tables).length === 0;
    this.#page = new PageState(controller, isEmpty ? state : emptyState());
    if (typeof document !== 'undefined') this.#closeWhenIdle();
  }

  /** The state for hooks, while there is a page to hydrate. */
  get reads(): HydrationSource | undefined {
    return typeof document === 'undefined' ? undefined : this;
  }

  /** Whether the server still sends data. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Adds data that the server has streamed to the store, now and later. */
  take(data: ServerData): void {
    if (!this.#isOpen) return;
    this.#merge(data, (take) => {
      if (this.#hasBegun && this.#deferred !== undefined) this.#deferred.push(take);
      else take();
      this.#hasBegun = true;
    });
    this.#setPending(data.pending);
  }

  /** Adds the data of a component that is rendering: its children show it, and the server has rendered it. */
  takeRendered(data: ServerData): void {
    // What the server sent before a reset may be the previous user's.
    if (data.now > internalsOf(this.#controller).core.resetAt - (this.#lag ?? 0))
      this.#merge(data, (take) => take());
  }

  #merge(data: ServerData, run: (take: () => void) => void): void {
    const controller = this.#controller;
    const lag = controller.now() - data.now;
    this.#lag = Math.min(this.#lag ?? lag, lag);
    // A page may come from a cache, so its times show its age. A time in the future means that the clocks differ.
    const restored = data.restored(Math.min(0, lag));
    const before = controller.getState();
    controller.apply(restored, { origin: 'network', type: 'hydrate' });
    const after = controller.getState();
    run(() => this.#page.take(restored, before, after));
  }

  /** The stream has ended. */
  end(): void {
    this.#setPending([]);
  }

  result(
    endpoint: EndpointInterface,
    key: string,
    args: readonly unknown[],
    current: ReadResult,
  ): ReadResult {
    this.#wasRead = true;
    return this.#isOpen ? this.#page.result(endpoint, key, args, current) : current;
  }

  query(queryable: Schema, args: readonly unknown[], current: unknown): unknown {
    this.#wasRead = true;
    return this.#isOpen ? this.#page.query(queryable, args, current) : current;
  }

  onMount(schemas: StoreSchemas, read: CachedRead, schema: Schema): void {
    if (this.#page.state.results.get(read.key) === undefined || read.schema !== undefined) return;
    const before = this.#controller.getState();
    recommitResult(schemas, read, schema);
    this.#page.follow(before, this.#controller.getState());
  }

  onHydrated(): void {
    for (const take of this.#deferred ?? []) take();
    this.#deferred = undefined;
  }

  pending(key: string): Promise<void> | undefined {
    return this.#pending.has(key) ? this.#untilSent(key) : undefined;
  }

  close(): void {
    this.#isOpen = false;
    this.#deferred = undefined;
    this.#page = new PageState(this.#controller, emptyState());
    this.#setPending([]);
    this.#cancel?.();
  }

  async #untilSent(key: string): Promise<void> {
    while (this.#pending.has(key)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #setPending(pending: readonly string[]): void {
    this.#pending = new Set(pending);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #closeWhenIdle(): void {
    this.#cancel = this.#controller.schedule(() => {
      const isQuiet = document.readyState === 'complete' && !this.#wasRead;
      this.#wasRead = false;
      if (isQuiet) this.close();
      else this.#closeWhenIdle();
    }, IDLE_TIME);
  }
}

/**
 * Commits a result that a server has sent again, with the rows that it reaches: now that its schema is known, storage
 * can determine those rows. No value changes, so no component renders.
 */
function recommitResult({ store, registry }: StoreSchemas, read: CachedRead, schema: Schema): void {
  const { key } = read;
  const result = store.base.results.get(key);
  if (result === undefined) return;
  read.schema = schema;
  store.commit(
    (writer) => {
      writer.setResult(key, { ...result });
      const written = new Set<StoredRow>();
      // A loop instead of recursion: rows may form chains of thousands.
      const stack: [Schema, unknown][] = [[schema, result.value]];
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        references(...next, (entity, pk) => {
          registry.add(entity);
          const row = writer.row(entity.key, pk);
          if (row?.value === undefined || written.has(row)) return;
          const again = { ...row };
          written.add(again);
          writer.setRow(entity.key, pk, again);
          stack.push([entity.schema, row.value]);
        });
      }
    },
    { action: { type: 'hydrate', key }, origin: 'network' },
  );
}
