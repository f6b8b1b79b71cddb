import type { AsyncFunction, EndpointArgs, EndpointData } from '../../endpoint/endpointTypes.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { Snapshot } from '../../endpoint/Snapshot.ts';
import { MISSING } from '../../schema/missing.ts';
import type { Denormalize, Schema } from '../../schema/Schema.ts';
import type { EntityRegistry } from '../../store/EntityRegistry.ts';
import type { State } from '../../store/State.ts';
import { transact } from '../../store/transaction.ts';
import type { NormalizeRows } from '../../views/InlineRows.ts';
import { readOf } from './readResult.ts';
import { Views, type ReadListener } from '../../views/Views.ts';

/** An immutable snapshot of a state, with denormalized objects of its own. */
export class StateSnapshot implements Snapshot {
  readonly fetchedAt: number;
  readonly abort = new Error('Nothing to show optimistically');
  readonly #views: Views;
  readonly #state: State;

  /**
   * @param fetchedAt - when the request began, in ms since the epoch
   * @param onRead - called for every row, table and result that is read
   */
  constructor(state: State, registry: EntityRegistry, fetchedAt: number, onRead?: ReadListener) {
    this.fetchedAt = fetchedAt;
    this.#state = state;
    const normalized = { head: state };
    const normalize: NormalizeRows = (recipe) => {
      const { state: next, changes } = transact(normalized.head, recipe);
      normalized.head = next;
      this.#views.apply(changes, new Set());
    };
    this.#views = new Views(normalized, registry, { onRead, normalize });
  }

  get<S extends Schema>(queryable: S, ...args: readonly unknown[]): Denormalize<S> | undefined {
    const data = this.#views.query(queryable, args);
    return data === MISSING ? undefined : (data as Denormalize<S>); // denormalized by S
  }

  getResponse<E extends AsyncFunction>(
    endpoint: E,
    ...args: EndpointArgs<E>
  ): { readonly data: EndpointData<E> | undefined } {
    const read = readOf(endpoint as unknown as EndpointInterface, args); // created as an endpoint
    const data = this.#views.result(read.key, read.endpoint.schema, read.args);
    return { data: data === MISSING ? undefined : (data as EndpointData<E>) }; // denormalized by the endpoint's schema
  }

  getError<E extends AsyncFunction>(endpoint: E, ...args: EndpointArgs<E>): unknown {
    // The views report the read.
    this.getResponse(endpoint, ...args);
    return this.#state.results.get((endpoint as unknown as EndpointInterface).key(...args))?.error; // as above
  }
}
