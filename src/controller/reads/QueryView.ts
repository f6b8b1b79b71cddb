import { stableJson } from '../../endpoint/stableJson.ts';
import { isEntity } from '../../schema/isEntity.ts';
import { MISSING } from '../../schema/missing.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import type { Listener } from '../../views/Node.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import { checkQuery } from './readResult.ts';
import { restoreTables, queriedTables } from '../plugins/restore.ts';

const NO_TABLES = { tables: [], isLive: false } as const;

/** The view of a query, used by `useQuery` and `watch`. Its functions are bound, so they can be passed to React. */
export class QueryView {
  readonly #internals: ControllerInternals;
  readonly #queryable: Schema;
  readonly #args: readonly unknown[];
  /** The pk of the entity that the args alone determine, which is then read and watched without a query node. */
  readonly #pk: string | undefined;
  /** The args as text: made once, since each notification reads the query. */
  readonly #key: string;
  /** The tables that must be restored first: those of which it needs every row. */
  readonly #tables: readonly string[];
  /** Whether it is a live query. */
  readonly #isLive: boolean;
  /** Whether the tables were restored while it was watched. */
  #isRestored = false;

  constructor(internals: ControllerInternals, queryable: Schema, args: readonly unknown[]) {
    if (process.env.NODE_ENV !== 'production') checkQuery(internals.views, queryable, args);
    this.#internals = internals;
    this.#queryable = queryable;
    this.#args = args;
    this.#pk = isEntity(queryable) ? pkFromArgs(queryable, args) : undefined;
    this.#key = this.#pk === undefined ? stableJson(args) : '';
    const { tables, isLive } =
      this.#pk === undefined && internals.plugins.canRestore
        ? queriedTables(internals.views, queryable, args)
        : NO_TABLES;
    this.#tables = tables;
    this.#isLive = isLive;
  }

  /**
   * The data in memory; undefined if there is none. While a table that a live query reads is being restored, lists
   * contain the members that are there, and anything else is undefined: a count of some rows would be wrong.
   */
  readonly snapshot = (): unknown => {
    const { views } = this.#internals;
    const data =
      this.#pk === undefined
        ? views.query(this.#queryable, this.#args, this.#key)
        : views.entity(this.#queryable as EntityClass, this.#pk, this.#args); // only entities have pks
    if (data === MISSING) return undefined;
    const isPartial = this.#isLive && !hasMembers(data) && !this.#isComplete;
    return isPartial ? undefined : data;
  };

  /** Whether all rows that it reads are in memory. */
  get #isComplete(): boolean {
    if (this.#isRestored) return true;
    const { wholeTables } = this.#internals;
    return this.#tables.every((table) => wholeTables.has(table) && wholeTables.get(table) === undefined);
  }

  /** Starts to restore the tables that it reads, if that has not begun. */
  restore(): void {
    void restoreTables(this.#internals, this.#tables);
  }

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
    const stop =
      this.#pk === undefined
        ? views.watchQuery(this.#queryable, this.#args, listener, this.#key)
        : views.watchEntity(this.#queryable as EntityClass, this.#pk, this.#args, listener); // as in snapshot
    const restoring = restoreTables(this.#internals, this.#tables);
    let isSubscribed = true;
    if (restoring === undefined) this.#isRestored = true;
    else
      void restoring.finally(() => {
        this.#isRestored = true;
        if (isSubscribed) listener();
      });
    return () => {
      isSubscribed = false;
      stop();
    };
  };

  /** Resolves when there is data, or all rows are in memory; undefined if that is the case. */
  whenKnown(): Promise<void> | undefined {
    const isKnown = (): boolean => this.#isComplete || this.snapshot() !== undefined;
    if (isKnown()) return undefined;
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isKnown()) return;
        stop();
        resolve();
      };
      const stop = this.subscribe(check);
      check();
    });
  }
}

function hasMembers(data: unknown): boolean {
  return Array.isArray(data) && data.length > 0;
}

/** The pk that args determine, if `queryKey` does not read the store. */
function pkFromArgs(entity: EntityClass, args: readonly unknown[]): string | undefined {
  const probe = {
    wasRead: false,
    find(): undefined {
      this.wasRead = true;
    },
    hasTable(): false {
      this.wasRead = true;
      return false;
    },
  };
  const pk = entity.queryKey(args, probe);
  return probe.wasRead ? undefined : pk;
}
