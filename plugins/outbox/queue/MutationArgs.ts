import { references, type Mutation, type Mutations } from 'holdfast';
import type { Registry } from './Registry.ts';
import type { MoveRecord } from '../storage/record.ts';
import { withServerPks } from './temporaryPks.ts';

/** A row, by its table and pk. */
export type RowKey = readonly [table: string, pk: string];

type Call = Pick<Mutation, 'endpoint' | 'args' | 'givesPk'>;

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
  current({ endpoint, args, givesPk }: Call): readonly unknown[] {
    const resolved = this.withServerPks(args);
    return withFallback(resolved, () =>
      this.#mutations.currentArgs({ endpoint, args: resolved, givesPk }, this.#registry.parentsOf(endpoint)),
    );
  }

  /**
   * Args for an entry: with confirmed pks, so that they mean the same whatever becomes of the mutations before it.
   *
   * @param isConfirmed - whether they name this row by its confirmed pk already
   */
  ofEntry(
    { endpoint, args }: Call,
    isConfirmed: (table: string, pk: string) => boolean = () => false,
  ): Pick<Mutation, 'args' | 'givesPk'> {
    const { args: confirmed, givesPk } = withFallback({ args, givesPk: false }, () =>
      this.#mutations.confirmedArgs({ endpoint, args }, this.#registry.parentsOf(endpoint), isConfirmed),
    );
    return { args: this.current({ endpoint, args: confirmed, givesPk }), givesPk };
  }

  /** The rows that the args name, with those that the parameters of parent paths name. */
  namedRows({ endpoint, args }: Call): readonly RowKey[] {
    return withFallback([], () =>
      this.#mutations.namedRows({ endpoint, args }, this.#registry.parentsOf(endpoint)),
    );
  }

  /** The row that a create makes under a pk of the app. */
  chosenRow(mutation: Call): RowKey | undefined {
    return withFallback(undefined, () => this.#mutations.chosenRow(mutation));
  }

  /** Throws if the app's classes do not accept the args, such as those of an earlier version of the app. */
  check(mutation: Mutation): void {
    this.#mutations.namedRows(mutation, []);
  }

  /** Whether `check` passes. */
  isAccepted(mutation: Mutation): boolean {
    return withFallback(false, () => {
      this.check(mutation);
      return true;
    });
  }

  /** Whether its prediction gives another pk to the row that its path names. */
  predictsRename(mutation: Mutation): boolean {
    const row = this.pathRow(mutation);
    const rows = predictedRows(mutation);
    return (
      row !== undefined && rows.length > 0 && !rows.some(([table, pk]) => table === row[0] && pk === row[1])
    );
  }

  /** The row that the path parameters name. */
  pathRow({ endpoint, args }: Call): RowKey | undefined {
    if (endpoint.pathParams === undefined || endpoint.pathParams.size === 0) return undefined;
    const path = { endpoint, args: args.slice(0, 1) };
    return withFallback(undefined, () => this.#mutations.namedRows(path, [])[0]);
  }
}

/** The rows that a prediction contains, by reference. */
export function predictedRows({
  endpoint,
  expected,
}: Pick<Mutation, 'endpoint' | 'expected'>): readonly RowKey[] {
  const rows: RowKey[] = [];
  if (expected !== undefined) references(endpoint.schema, expected, ({ key }, pk) => rows.push([key, pk]));
  return rows;
}

/** The result of `find`; `fallback` if the app's classes throw. */
export function withFallback<T>(fallback: T, find: () => T): T {
  try {
    return find();
  } catch {
    return fallback;
  }
}
