import type { Mutation, Mutations } from 'holdfast';
import type { Registry } from './Registry.ts';
import type { MoveRecord } from '../storage/record.ts';
import { withServerPks } from './temporaryPks.ts';

/** A row, by its table and pk. */
export type RowKey = readonly [table: string, pk: string];

type Call = Pick<Mutation, 'endpoint' | 'args'>;

/** The rows that the args of mutations refer to, and their current pks. If the app's classes throw, there are none. */
export class MutationArgs {
  /** Temporary pk → the row that the server has created. */
  readonly serverIds = new Map<string, MoveRecord>();
  readonly #mutations: Mutations;
  readonly #registry: Registry;

  constructor(mutations: Mutations, registry: Registry) {
    this.#mutations = mutations;
    this.#registry = registry;
  }

  /** The args with the server's pks in place of temporary ones. */
  withServerPks<T>(args: T): T {
    return withServerPks(args, this.serverIds);
  }

  /** The args with current pks, of created and renamed entities; the same args if none has changed. */
  current({ endpoint, args }: Call): readonly unknown[] {
    const resolved = this.withServerPks(args);
    return withFallback(resolved, () =>
      this.#mutations.currentArgs({ endpoint, args: resolved }, this.#registry.parentsOf(endpoint)),
    );
  }

  /** The rows that the args name, with those that the parameters of parent paths name. */
  namedRows({ endpoint, args }: Call): readonly RowKey[] {
    return withFallback([], () =>
      this.#mutations.namedRows({ endpoint, args }, this.#registry.parentsOf(endpoint)),
    );
  }

  /** The row that the path parameters name. */
  pathRow({ endpoint, args }: Call): RowKey | undefined {
    if (endpoint.pathParams === undefined || endpoint.pathParams.size === 0) return undefined;
    const path = { endpoint, args: args.slice(0, 1) };
    return withFallback(undefined, () => this.#mutations.namedRows(path, [])[0]);
  }
}

/** The result of `find`; `fallback` if the app's classes throw. */
export function withFallback<T>(fallback: T, find: () => T): T {
  try {
    return find();
  } catch {
    return fallback;
  }
}
