import type { EntityValue } from '../schema/Meta.ts';
import type { QueryIndex, QueryPart, RowObserver, RowSource, Schema } from '../schema/Schema.ts';
import type { Aliases } from '../store/Aliases.ts';
import { withCurrentPks } from '../store/renames.ts';
import { rowOf, type State } from '../store/State.ts';
import type { NodeRegistry } from './NodeRegistry.ts';
import type { QueryNode } from './RootNode.ts';

/** A watched query of stored rows. */
export interface MountedQuery {
  readonly schema: Schema;
  readonly args: readonly unknown[];
  /** What its live queries read by an index. */
  readonly parts: readonly QueryPart[];
}

/** What indexes need besides the rows. */
type RowBasics = Pick<RowSource, 'now' | 'gcTime' | 'reportInline'>;

/** What the graph knows of live queries: the observer that keeps their indexes, and the queries that are watched. */
export class LiveQueries {
  /** Created by the first live query that is read. */
  current: RowObserver | undefined;
  readonly #store: { readonly head: State };
  readonly #aliases: Aliases;
  readonly #nodes: NodeRegistry;
  readonly #basics: RowBasics;

  constructor(store: { readonly head: State }, aliases: Aliases, nodes: NodeRegistry, basics: RowBasics) {
    this.#store = store;
    this.#aliases = aliases;
    this.#nodes = nodes;
    this.#basics = basics;
  }

  /** The observer of stored rows, created by `make` if there is none. */
  observer<O extends RowObserver>(make: (source: RowSource) => O): O {
    const tables = (): State['tables'] => this.#store.head.tables;
    this.current ??= make({
      row: ({ key, schema }, pk) => {
        const row = rowOf(this.#store.head, key, pk);
        return row && (withCurrentPks(this.#store.head, schema, row) as EntityValue | undefined); // renaming keeps the type
      },
      each(table, visit) {
        tables()[table]?.forEach(({ value }, pk) => {
          visit(pk, value);
        });
      },
      hasTable: (table) => tables()[table] !== undefined,
      movedTo: (table, pk) => {
        // As in `Views.entityNode`.
        const current = this.#aliases.pk(pk);
        return current === pk ? tables()[table]?.get(pk)?.movedTo : current;
      },
      ...this.#basics,
    });
    return this.current as O; // there is one kind of it only
  }

  get #watched(): QueryNode[] {
    return [...this.#nodes.queries()].filter(({ isWatched }) => isWatched);
  }

  /** The watched queries. */
  mounted(): MountedQuery[] {
    return this.#watched.map(({ schema, args, deps }) => ({
      schema,
      args,
      parts: deps.flatMap(({ value }) => this.current?.report(value) ?? []),
    }));
  }

  /** Their indexes. */
  get indexes(): readonly QueryIndex[] {
    return this.current?.indexes ?? [];
  }

  /** The rows that watched live queries show, at most so many. */
  rows(limit: number): (readonly [table: string, pk: string])[] {
    return this.current?.rows(this.#watched, limit) ?? [];
  }

  /** Whether a query that is read needs the rows of a table to stay. */
  holds(table: string): boolean {
    return this.current?.holds(table) === true;
  }
}
