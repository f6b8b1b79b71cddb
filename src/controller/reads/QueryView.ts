import { isEntity } from '../../schema/isEntity.ts';
import { MISSING } from '../../schema/missing.ts';
import type { EntityClass, Lookup, Schema } from '../../schema/Schema.ts';
import type { Listener } from '../../views/Node.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import { assertNotEndpoint } from './readResult.ts';
import { restoreTables } from '../plugins/restoreTables.ts';

/** The view of a query, used by `useQuery` and `watch`. Its functions are bound, so they can be passed to React. */
export class QueryView {
  readonly #internals: ControllerInternals;
  readonly #queryable: Schema;
  readonly #args: readonly unknown[];
  /** The pk of the entity that the args alone determine, which is then read and watched without a query node. */
  readonly #pk: string | undefined;

  constructor(internals: ControllerInternals, queryable: Schema, args: readonly unknown[]) {
    if (process.env.NODE_ENV !== 'production') assertNotEndpoint(queryable);
    this.#internals = internals;
    this.#queryable = queryable;
    this.#args = args;
    this.#pk = isEntity(queryable) ? pkFromArgs(queryable, args) : undefined;
  }

  /** The data in memory; undefined if there is none. */
  readonly snapshot = (): unknown => {
    const { views } = this.#internals;
    const data =
      this.#pk === undefined
        ? views.query(this.#queryable, this.#args)
        : views.entity(this.#queryable as EntityClass, this.#pk, this.#args); // only entities have pks
    return data === MISSING ? undefined : data;
  };

  /** While the page hydrates, the data that the server rendered; else the current data. */
  get serverSnapshot(): () => unknown {
    const { hydration } = this.#internals;
    return hydration === undefined
      ? this.snapshot
      : () => hydration.query(this.#queryable, this.#args, this.snapshot());
  }

  /** Calls `listener` when the snapshot may have changed. Returns a function that stops it. */
  readonly subscribe = (listener: Listener): (() => void) => {
    const { views } = this.#internals;
    if (this.#pk === undefined) void restoreTables(this.#internals, this.#queryable, this.#args);
    return this.#pk === undefined
      ? views.watchQuery(this.#queryable, this.#args, listener)
      : views.watchEntity(this.#queryable as EntityClass, this.#pk, this.#args, listener); // as in snapshot
  };
}

/** The pk that args determine, if `queryKey` does not read the store. */
function pkFromArgs(entity: EntityClass, args: readonly unknown[]): string | undefined {
  const probe = new LookupProbe();
  const pk = entity.queryKey(args, probe);
  return probe.wasRead ? undefined : pk;
}

/** Detects whether `queryKey` reads the store. */
class LookupProbe implements Lookup {
  wasRead = false;

  find(): undefined {
    this.wasRead = true;
  }

  hasTable(): boolean {
    this.wasRead = true;
    return false;
  }
}
