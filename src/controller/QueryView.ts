import { isEntity } from '../schema/isEntity.ts';
import { MISSING } from '../schema/missing.ts';
import type { EntityClass, Lookup, Schema } from '../schema/Schema.ts';
import type { Listener } from '../views/Node.ts';
import type { Core } from './Core.ts';
import { rejectEndpoint } from './reading.ts';

/**
 * What args ask of the rows by a schema, for whoever shows it: what `useQuery` and `watch` are made of. Its functions
 * are bound, so that they can be handed to React as they are.
 */
export class QueryView {
  readonly #core: Core;
  readonly #queryable: Schema;
  readonly #args: readonly unknown[];
  /** Of the entity that the args name, whatever is stored: it is read and watched without a query between. */
  readonly #pk: string | undefined;

  constructor(core: Core, queryable: Schema, args: readonly unknown[]) {
    if (process.env.NODE_ENV !== 'production') rejectEndpoint(queryable);
    this.#core = core;
    this.#queryable = queryable;
    this.#args = args;
    this.#pk = isEntity(queryable) ? pkOfArgsAlone(queryable, args) : undefined;
  }

  /** What is in memory; undefined when there is nothing to show. */
  readonly snapshot = (): unknown => {
    const { views } = this.#core;
    const data =
      this.#pk === undefined
        ? views.query(this.#queryable, this.#args)
        : views.entity(this.#queryable as EntityClass, this.#pk, this.#args); // only entities have pks
    return data === MISSING ? undefined : data;
  };

  /** Gives what it was when the server rendered, while the page hydrates; else what it is. */
  get serverSnapshot(): () => unknown {
    const { serverReads } = this.#core;
    return serverReads === undefined
      ? this.snapshot
      : () => serverReads.query(this.#queryable, this.#args, this.snapshot());
  }

  /** Calls `listener` when the snapshot may have changed, until the function it returns is called. */
  readonly subscribe = (listener: Listener): (() => void) => {
    const { views } = this.#core;
    return this.#pk === undefined
      ? views.watchQuery(this.#queryable, this.#args, listener)
      : views.watchEntity(this.#queryable as EntityClass, this.#pk, this.#args, listener); // as in snapshot
  };
}

/** The pk that args name, where `queryKey` asks nothing of what is stored. */
function pkOfArgsAlone(entity: EntityClass, args: readonly unknown[]): string | undefined {
  const rows = new UnaskedRows();
  const pk = entity.queryKey(args, rows);
  return rows.hasBeenAsked ? undefined : pk;
}

/** Tells whether anything of what is stored was asked for. */
class UnaskedRows implements Lookup {
  hasBeenAsked = false;

  find(): undefined {
    this.hasBeenAsked = true;
  }

  hasTable(): boolean {
    this.hasBeenAsked = true;
    return false;
  }
}
