import { writeRestored } from '../controller/applyRestored.ts';
import type { Controller } from '../controller/Controller.ts';
import type { Restored } from '../controller/Plugin.ts';
import { readEndpoint, readQueryable, type Reading, type Source } from '../controller/reading.ts';
import type { Known, ServerReads } from '../controller/ServerReads.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import { EntityRegistry } from '../store/EntityRegistry.ts';
import { emptyState, type State } from '../store/State.ts';
import { transact } from '../store/transaction.ts';
import { Views } from '../views/Views.ts';
import { announce } from './announce.ts';
import { isSameJoined } from './isSameJoined.ts';
import type { ServerData } from './StateText.ts';

/** How long nothing may have hydrated before the page counts as hydrated, in ms. */
const QUIET = 60_000;

/**
 * What the server rendered from, for as long as parts of the page may still hydrate. While the store is as the server
 * left it, that is the store itself. Once it has moved on (by an answer, what disk had, another tab), the server's
 * state is kept beside it, and joined anew only for what shows something else by now.
 *
 * Nothing tells when the last part has hydrated, so what is kept is let go after a quiet minute. It shares all that has
 * not changed with the store, and never grows beyond what the page brought.
 */
export class Hydration implements ServerReads {
  readonly #controller: Controller;
  #state: State;
  #views: Views | undefined;
  #isOpen = true;
  #wasRead = false;
  #cancel: (() => void) | undefined;

  constructor(controller: Controller) {
    this.#controller = controller;
    this.#state = controller.getState();
    if (this.#state.results.size > 0 || Object.keys(this.#state.tables).length > 0)
      this.#state = emptyState();
    if (typeof document !== 'undefined') this.#waitForQuiet();
  }

  /** What hooks read, where there is a page to hydrate. */
  get reads(): ServerReads | undefined {
    return typeof document === 'undefined' ? undefined : this;
  }

  /** Takes what the server has sent, or sends later, into the store. */
  take(data: ServerData): void {
    if (!this.#isOpen) return;
    const controller = this.#controller;
    // A page may come from a cache, so its times say how old it is. But it cannot come from the future: then the
    // clocks differ.
    const restored = data.restored(Math.min(0, controller.now() - data.now));
    const before = controller.getState();
    controller.apply(restored, { origin: 'network', type: 'hydrate' });
    if (before === this.#state) this.#state = controller.getState();
    else this.#takeBeside(restored);
  }

  result(endpoint: EndpointInterface, key: string, args: readonly unknown[], now: Reading): Reading {
    const source = this.#movedFrom();
    if (source === undefined) return now;
    const served = readEndpoint(source, endpoint, key, args);
    return served.error === now.error && isSameJoined(served.data, now.data) ? now : served;
  }

  query(queryable: Schema, args: readonly unknown[], now: unknown): unknown {
    const source = this.#movedFrom();
    if (source === undefined) return now;
    const served = readQueryable(source.views, queryable, args);
    return isSameJoined(served, now) ? now : served;
  }

  mounted(known: Known, key: string, schema: Schema): void {
    if (this.#state.results.get(key) === undefined || known.schemas.has(key)) return;
    const hasMoved = this.#controller.getState() !== this.#state;
    announce(known, key, schema);
    if (!hasMoved) this.#state = this.#controller.getState();
  }

  close(): void {
    this.#isOpen = false;
    this.#state = emptyState();
    this.#views = undefined;
    this.#cancel?.();
  }

  /** The server's state, where the store is no longer that. */
  #movedFrom(): Source | undefined {
    this.#wasRead = true;
    if (!this.#isOpen || this.#controller.getState() === this.#state) return undefined;
    this.#views ??= new Views(() => this.#state, new EntityRegistry());
    return { store: { head: this.#state }, views: this.#views };
  }

  #takeBeside(restored: Restored): void {
    const entityOf = (table: string) => this.#controller.entitiesOf(table)[0];
    const { state, changes } = transact(this.#state, (writer) => writeRestored(writer, restored, entityOf));
    this.#state = state;
    this.#views?.apply(changes, new Set());
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
