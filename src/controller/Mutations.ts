import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import type { Commit } from '../store/Commit.ts';
import { partsOf, type Controller } from './Controller.ts';
import type { Core } from './Core.ts';
import type { Fetcher } from './Fetcher.ts';
import type { Mutation, StoreAnswer } from './Mutation.ts';
import { isShown } from './noteMade.ts';
import { currentArgs, currentBody, namedBy, relationsIn, type RowOf } from './rename.ts';
import { restore } from './restore.ts';
import { rowOf } from '../store/State.ts';
import { showOptimistic } from './showOptimistic.ts';
import { actionOf } from './storing.ts';

/** What goes into the commit of a change of mutations. */
export interface MutationChange {
  /** Name of the plugin. */
  readonly origin: string;
  /** Those that are no longer shown. */
  readonly hidden?: readonly Mutation[];
  /** Those whose args have changed. */
  readonly changed?: readonly Mutation[];
  readonly side?: Commit['side'];
}

/**
 * What a plugin can do with mutations that it has taken over. Until it has settled what `mutate` gave, the mutation is
 * its own affair: to show, to send, and to hide again. Not a member of the controller, so that an app without such a
 * plugin does not carry it.
 *
 * @example
 * class Review implements Plugin {
 *   readonly name = 'review';
 *   #mutations: Mutations | undefined;
 *
 *   start(controller: Controller) {
 *     this.#mutations = new Mutations(controller);
 *   }
 *
 *   async mutate(mutation: Mutation) {
 *     this.#mutations?.show(mutation);
 *     await approval(mutation); // and only then, send it
 *     return this.#mutations?.send(mutation);
 *   }
 * }
 */
export class Mutations {
  readonly #core: Core;
  readonly #fetcher: Fetcher;

  constructor(controller: Controller) {
    const { core, fetcher } = partsOf(controller);
    this.#core = core;
    this.#fetcher = fetcher;
  }

  /** Shows what one is expected to answer, above those that are shown already. */
  show(mutation: Mutation): void {
    showOptimistic(this.#core, mutation);
  }

  /** What is shown of one, joined; undefined where nothing is. */
  shown({ endpoint, args, expected }: Pick<Mutation, 'endpoint' | 'args' | 'expected'>): unknown {
    const data = expected === undefined ? MISSING : this.#core.views.join(endpoint.schema, expected, args);
    return data === MISSING ? undefined : data;
  }

  /**
   * Makes one attempt, through the other plugins' `request`.
   *
   * @param endpoint - the mutation's own, or one extended by request options
   * @returns stores the answer, hides the mutation in the same commit, and gives what `fetch` resolves with. Call it in
   * a `batch` to add to that commit
   */
  send(mutation: Mutation, endpoint: EndpointInterface = mutation.endpoint): Promise<StoreAnswer> {
    return this.#fetcher.send(mutation, endpoint);
  }

  /**
   * Makes one commit of all that `run` writes, which says of which mutation it is.
   *
   * @param type - `'fetch'` where its answer is stored, `'optimistic'` where what is shown of it changes
   */
  batch<T>({ endpoint, args }: Mutation, type: 'fetch' | 'optimistic', run: () => T): T {
    return this.#core.store.batch(run, {
      action: actionOf(type, { endpoint, key: endpoint.key(...args), args }),
      origin: type === 'fetch' ? 'network' : 'app',
    });
  }

  /** Commits what has become of some, and records of the plugin. */
  commit({ origin, hidden = [], changed = [], side = {} }: MutationChange): void {
    this.#core.store.commit(() => undefined, {
      action: { type: 'optimistic' },
      origin,
      settled: layersOf(hidden),
      replayed: layersOf(changed),
      side,
    });
    for (const mutation of hidden) mutation.layer = mutation.expected = undefined;
  }

  /** Brings what some stand on from disk into memory, so that they are not shown over a part of it. */
  restore(mutations: readonly Mutation[]): Promise<void> {
    return restore(this.#core, mutations);
  }

  /** Makes readers of a temporary pk go on with the row that came of it. */
  alias(table: string, temporaryPk: string, pk: string): void {
    this.#core.aliases.add(table, temporaryPk, pk, isShown(this.#core, table, pk));
  }

  /**
   * The rows that args name, by the pks in them.
   *
   * @param naming - endpoints whose paths the mutation's begins with, such as `ArticleResource.get` for what is below an
   * article
   */
  named(
    { endpoint, args }: Pick<Mutation, 'endpoint' | 'args'>,
    naming: readonly EndpointInterface[],
  ): readonly (readonly [table: string, pk: string])[] {
    return [
      ...[endpoint, ...naming].map((by) => namedBy(by, args)).filter((row) => row !== undefined),
      ...args.flatMap((body) => [...relationsIn(endpoint, body)].map(([table, pk]) => [table, pk] as const)),
    ];
  }

  /** Args that name what was renamed by the pk that it has now; the same ones where they name nothing of the kind. */
  currentArgs(
    { endpoint, args }: Pick<Mutation, 'endpoint' | 'args'>,
    naming: readonly EndpointInterface[],
  ): readonly unknown[] {
    const { aliases, store } = this.#core;
    const row: RowOf = (table, pk) => rowOf(store.base, table, pk);
    let current = args;
    for (const by of [endpoint, ...naming]) current = currentArgs(by, current, aliases, row);
    const named =
      endpoint.pathParams === undefined || endpoint.pathParams.size === 0
        ? undefined
        : namedBy(endpoint, args);
    const withBodies = current.map((arg, place) =>
      place === 0 && named !== undefined ? arg : currentBody(endpoint, arg, named, row),
    );
    return withBodies.every((arg, place) => arg === current[place]) ? current : withBodies;
  }

  /** The pk that a row has now, where it was renamed in what is confirmed. */
  movedTo(table: string, pk: string): string | undefined {
    return rowOf(this.#core.store.base, table, pk)?.movedTo;
  }
}

function layersOf(mutations: readonly Mutation[]): readonly number[] {
  return mutations.flatMap(({ layer }) => layer ?? []);
}
