import { partsOf, type Controller } from '../controller/Controller.ts';
import type { Reading } from '../controller/reading.ts';
import type { ServerReads } from '../controller/ServerReads.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import { rowOf, type State } from '../store/State.ts';
import { changesSince, type Brought } from './changesSince.ts';
import { PageState } from './PageState.ts';

/**
 * What hooks read on a server while it streams a page: what the page has shown of a row stays, though a later answer
 * has brought another version, so that the page can hydrate from one state. The newer version is sent too.
 */
export class Rendering implements ServerReads {
  readonly #controller: Controller;
  readonly #page: PageState;
  /** The store's state when it was last looked at. */
  #seen: State;
  /** The store's state, and the page's, when they were last sent. */
  #sent: State | undefined;
  #sentPage: State | undefined;

  constructor(controller: Controller) {
    this.#controller = controller;
    this.#seen = controller.getState();
    this.#page = new PageState(controller, this.#seen);
  }

  /** That of a controller, for as long as it lives: React may render again what asks for it, before anything is sent. */
  static of(controller: Controller): Rendering {
    const { core } = partsOf(controller);
    const present = core.serverReads;
    if (present instanceof Rendering) return present;
    const rendering = new Rendering(controller);
    core.serverReads = rendering;
    return rendering;
  }

  result(endpoint: EndpointInterface, key: string, args: readonly unknown[], now: Reading): Reading {
    this.#look();
    return this.#page.result(endpoint, key, args, now);
  }

  query(queryable: Schema, args: readonly unknown[], now: unknown): unknown {
    this.#look();
    return this.#page.query(queryable, args, now);
  }

  /** What the page has yet to be told; undefined when there is nothing. The first is given even when empty. */
  unsent(): Brought | undefined {
    this.#look();
    const state = this.#seen;
    if (state === this.#sent) return undefined;
    const page = this.#page.state;
    // What the page was rendered from goes first, where it has gone on before it could be sent.
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

  mounted(): void {
    // Effects do not run on a server.
  }

  hydrated(): void {
    // Nothing hydrates here.
  }

  awaited(): undefined {
    // Nothing is sent to a server.
  }

  close(): void {
    // It goes with the controller.
  }

  #look(): void {
    const state = this.#controller.getState();
    if (state === this.#seen) return;
    this.#page.take(changesSince(state, this.#seen), this.#seen, state);
    this.#seen = state;
  }
}
