import { partsOf, type Controller } from '../controller/Controller.ts';
import type { Reading } from '../controller/reading.ts';
import type { Known, ServerReads } from '../controller/ServerReads.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import { emptyState } from '../store/State.ts';
import { announce } from './announce.ts';
import { PageState } from './PageState.ts';
import type { ServerData } from './StateText.ts';

/** How long nothing may have hydrated before the page counts as hydrated, in ms. */
const QUIET = 60_000;

/**
 * What the server rendered from, for as long as parts of the page may still hydrate, whatever the store has by then: an
 * answer, what disk had, what another tab said.
 *
 * React hydrates what came first as a whole, then each boundary by itself. So until the former is done, what has come
 * for later parts is in the store alone.
 *
 * Nothing tells when the last part has hydrated, so what is kept is let go after a quiet minute. It never grows beyond
 * what the page brought.
 */
export class Hydration implements ServerReads {
  readonly #controller: Controller;
  #page: PageState;
  /** Adds to the page what has come after its first part; undefined once that has hydrated. */
  #later: (() => void)[] | undefined = [];
  #hasBegun = false;
  #pending: ReadonlySet<string> = new Set();
  /** Told when `#pending` changes. */
  #waiting: (() => void)[] = [];
  #isOpen = true;
  #wasRead = false;
  #cancel: (() => void) | undefined;
  readonly #resetEpoch: number;
  /** What the server sent before this time, by its clock, belongs to before a reset. */
  readonly #fence: number = 0;
  /** How far the server's clock is behind, at most: what was sent last also took time to arrive. */
  #lag = Infinity;
  #closedAt = 0;

  /** @param former - the controller's last one */
  constructor(controller: Controller, former?: Hydration) {
    this.#controller = controller;
    this.#resetEpoch = partsOf(controller).core.epoch;
    if (former !== undefined)
      this.#fence = former.#resetEpoch === this.#resetEpoch ? former.#fence : former.#closedAt - former.#lag;
    const state = controller.getState();
    const isEmpty = state.results.size === 0 && Object.keys(state.tables).length === 0;
    this.#page = new PageState(controller, isEmpty ? state : emptyState());
    if (typeof document !== 'undefined') this.#waitForQuiet();
  }

  /** What hooks read, where there is a page to hydrate. */
  get reads(): ServerReads | undefined {
    return typeof document === 'undefined' ? undefined : this;
  }

  /** Whether it still takes what the server sends. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes what the server has streamed, or streams later, into the store. */
  take(data: ServerData): void {
    if (!this.#isOpen) return;
    this.#merge(data, (take) => {
      if (this.#hasBegun && this.#later !== undefined) this.#later.push(take);
      else take();
      this.#hasBegun = true;
    });
    this.#awaits(data.pending);
  }

  /** Takes what a component that renders now was given: its children show it, and the server has rendered it. */
  takeRendered(data: ServerData): void {
    if (data.now > this.#fence) this.#merge(data, (take) => take());
  }

  #merge(data: ServerData, run: (take: () => void) => void): void {
    const controller = this.#controller;
    const lag = controller.now() - data.now;
    this.#lag = Math.min(this.#lag, lag);
    // A page may come from a cache, so its times say how old it is. But it cannot come from the future: then the
    // clocks differ.
    const restored = data.restored(Math.min(0, lag));
    const before = controller.getState();
    controller.apply(restored, { origin: 'network', type: 'hydrate' });
    const after = controller.getState();
    run(() => this.#page.take(restored, before, after));
  }

  /** No more is sent. */
  end(): void {
    this.#awaits([]);
  }

  result(endpoint: EndpointInterface, key: string, args: readonly unknown[], now: Reading): Reading {
    this.#wasRead = true;
    return this.#isOpen ? this.#page.result(endpoint, key, args, now) : now;
  }

  query(queryable: Schema, args: readonly unknown[], now: unknown): unknown {
    this.#wasRead = true;
    return this.#isOpen ? this.#page.query(queryable, args, now) : now;
  }

  mounted(known: Known, key: string, schema: Schema): void {
    if (this.#page.state.results.get(key) === undefined || known.schemas.has(key)) return;
    const before = this.#controller.getState();
    announce(known, key, schema);
    this.#page.follow(before, this.#controller.getState());
  }

  hydrated(): void {
    for (const take of this.#later ?? []) take();
    this.#later = undefined;
  }

  awaited(key: string): Promise<void> | undefined {
    return this.#pending.has(key) ? this.#untilSent(key) : undefined;
  }

  close(): void {
    this.#isOpen = false;
    this.#closedAt = this.#controller.now();
    this.#later = undefined;
    this.#page = new PageState(this.#controller, emptyState());
    this.#awaits([]);
    this.#cancel?.();
  }

  async #untilSent(key: string): Promise<void> {
    while (this.#pending.has(key)) await new Promise<void>((tell) => this.#waiting.push(tell));
  }

  #awaits(pending: readonly string[]): void {
    this.#pending = new Set(pending);
    for (const tell of this.#waiting.splice(0)) tell();
  }

  #waitForQuiet(): void {
    this.#cancel = this.#controller.schedule(() => {
      const isQuiet = document.readyState === 'complete' && !this.#wasRead;
      this.#wasRead = false;
      if (isQuiet) this.close();
      else this.#waitForQuiet();
    }, QUIET);
  }
}
