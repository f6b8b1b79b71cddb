import type { Controller } from '../controller/Controller.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import type { ReadResult } from '../controller/reads/readResult.ts';
import type { HydrationSource } from '../controller/requests/HydrationSource.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import { rowOf, type State } from '../store/State.ts';
import { changesSince, type StateDelta } from './changesSince.ts';
import { PageState } from './PageState.ts';

/**
 * The state for hooks while a server streams a page: rows that the page has shown stay as they were, even if a later
 * response contains another version, so that the page can hydrate from one state. The newer version is sent too.
 */
export class Rendering implements HydrationSource {
  readonly #controller: Controller;
  readonly #page: PageState;
  /** The store's state at the last check. */
  #observed: State;
  /** The states of the store and the page that were last sent. */
  #sent: State | undefined;
  #sentPage: State | undefined;

  constructor(controller: Controller) {
    this.#controller = controller;
    this.#observed = controller.getState();
    this.#page = new PageState(controller, this.#observed);
  }

  /**
   * The instance of a controller, kept while the controller lives: React may render a component twice before anything
   * is sent.
   */
  static of(controller: Controller): Rendering {
    const { core } = internalsOf(controller);
    const present = core.hydration;
    if (present instanceof Rendering) return present;
    const rendering = new Rendering(controller);
    core.hydration = rendering;
    return rendering;
  }

  result(
    endpoint: EndpointInterface,
    key: string,
    args: readonly unknown[],
    current: ReadResult,
  ): ReadResult {
    this.#observe();
    return this.#page.result(endpoint, key, args, current);
  }

  query(queryable: Schema, args: readonly unknown[], current: unknown): unknown {
    this.#observe();
    return this.#page.query(queryable, args, current);
  }

  /**
   * The data that the page has not received yet; undefined if there is none. The first call returns a value even if
   * it is empty.
   */
  unsent(): StateDelta | undefined {
    this.#observe();
    const state = this.#observed;
    if (state === this.#sent) return undefined;
    const page = this.#page.state;
    // If the store has changed before the data could be sent, the state that the page was rendered from is sent
    // first.
    const isSuperseded = (table: string, pk: string, value: unknown): boolean =>
      (this.#sentPage === undefined || rowOf(this.#sentPage, table, pk) === undefined) &&
      rowOf(state, table, pk)?.value !== value;
    const superseded =
      page === state
        ? []
        : changesSince(page, this.#sentPage).rows.filter(([table, pk, { value }]) =>
            isSuperseded(table, pk, value),
          );
    const { rows, results } = changesSince(state, this.#sent);
    this.#sent = state;
    this.#sentPage = page;
    return { rows: [...superseded, ...rows], results };
  }

  onMount(): void {
    // Effects do not run on a server.
  }

  onHydrated(): void {
    // Nothing hydrates here.
  }

  pending(): undefined {
    // A server receives no streamed data.
  }

  close(): void {
    // It is released with the controller.
  }

  #observe(): void {
    const state = this.#controller.getState();
    if (state === this.#observed) return;
    this.#page.take(changesSince(state, this.#observed), this.#observed, state);
    this.#observed = state;
  }
}
