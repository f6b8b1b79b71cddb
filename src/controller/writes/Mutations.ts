import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { EntityClass } from '../../schema/Schema.ts';
import { MISSING } from '../../schema/missing.ts';
import type { Commit } from '../../store/Commit.ts';
import type { Controller } from '../Controller.ts';
import { internalsOf } from '../internalsOf.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Fetcher } from '../requests/Fetcher.ts';
import type { CreatedRow, Mutation, StoreResponse } from './Mutation.ts';
import { setReceived } from './set.ts';
import { addAliases, moveCreated } from './createdRows.ts';
import {
  basePks,
  currentArgs,
  currentBody,
  parentArgs,
  relationsIn,
  rowInBody,
  rowNamedBy,
  rowsInBody,
  type CurrentPks,
} from './currentArgs.ts';
import { restore } from '../plugins/restore.ts';
import { LAYER_ORDER, pendingRenames, RENAMES } from '../../store/renames.ts';
import { rowOf, type RowOf } from '../../store/State.ts';
import { pksBefore, reuseOf } from './queuedLayer.ts';
import { showOptimistic, type QueuedLayer } from './showOptimistic.ts';
import { normalizeResponse } from '../requests/normalizeResponse.ts';
import { localMeta, mutationAction } from '../requests/writeResponse.ts';

/** The changes that go into one commit. */
export interface MutationChange {
  /** Name of the plugin. */
  readonly origin: string;
  /** Mutations whose layers are removed. */
  readonly hidden?: readonly Mutation[];
  /** Mutations that will not be sent: what the app has set on rows that they would have created is deleted. */
  readonly withdrawn?: readonly Mutation[];
  /** Mutations whose args have changed. */
  readonly changed?: readonly Mutation[];
  readonly side?: Commit['side'];
}

/**
 * Lets a plugin show, send and hide the mutations that it has taken over, until the promise that its `mutate`
 * returned has settled. Not a member of the controller, so that apps without such a plugin do not bundle it.
 *
 * @example
 * class Review implements MutationPlugin {
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
  readonly #internals: ControllerInternals;
  readonly #fetcher: Fetcher;

  constructor(controller: Controller) {
    const { core: internals, fetcher } = internalsOf(controller);
    this.#internals = internals;
    this.#fetcher = fetcher;
  }

  /**
   * Shows a mutation's predicted response, above the layers that exist already.
   *
   * @param isConfirmed - whether its args are from `confirmedArgs`
   */
  show(mutation: Mutation, isConfirmed = false): void {
    showOptimistic(this.#internals, mutation, isConfirmed ? this.#queuedLayer(mutation) : undefined);
  }

  #queuedLayer(mutation: Mutation): QueuedLayer {
    const { aliases, clock } = this.#internals;
    const order = LAYER_ORDER + clock.tick();
    return {
      args: (writer) =>
        this.#argsWith(mutation, [], {
          aliases,
          row: (table, pk) => writer.row(table, pk),
          pk: pksBefore(writer, order),
          renames: undefined,
        }),
      // Lists below the entity keep their pks, which the server knows.
      renamed(writer, { table, from, to }, meta) {
        const value = { table, from, to };
        writer.setRow(RENAMES, `${order}`, { value, meta: { ...meta, order, answered: order } });
      },
      reuse: (normalized, row) => reuseOf(mutation, normalized, row),
    };
  }

  /** The denormalized prediction of a mutation; undefined if there is none. */
  optimisticValue({ endpoint, args, expected }: Pick<Mutation, 'endpoint' | 'args' | 'expected'>): unknown {
    const data =
      expected === undefined ? MISSING : this.#internals.views.denormalize(endpoint.schema, expected, args);
    return data === MISSING ? undefined : data;
  }

  /**
   * Sends a mutation once, through the other plugins' `request`.
   *
   * @param endpoint - the mutation's own, or one extended by request options
   * @returns a function that stores the response, removes the layer in the same commit, and returns the value of
   * `fetch`. Call it in a `batch` to add to that commit
   */
  send(mutation: Mutation, endpoint: EndpointInterface = mutation.endpoint): Promise<StoreResponse> {
    return this.#fetcher.send(mutation, endpoint);
  }

  /**
   * A function that stores a response which came by another way, such as the server's version in a conflict. Undefined if
   * it contains no entity of the mutation's schema.
   *
   * @param order - the position at which it was received, from `nextOrder`
   */
  answered(mutation: Mutation, response: unknown, order = this.nextOrder()): StoreResponse | undefined {
    const internals = this.#internals;
    const { endpoint, args } = mutation;
    let key: string;
    try {
      key = endpoint.key(...args);
      if (normalizeResponse(internals, endpoint, args, response).entities.size === 0) return undefined;
    } catch {
      // It has another form, as the body of an error does.
      return undefined;
    }
    const { responseWriter } = this.#fetcher;
    const begun = this.#fetcher.begin({ endpoint, args, key, resetEpoch: internals.resetEpoch, mutation });
    const request = { ...begun, order, answered: order };
    return (deferRebase) => responseWriter.writeMutation(request, response, deferRebase);
  }

  /**
   * Combines what `run` writes into one commit whose action names the mutation.
   *
   * @param type - `'fetch'` if its response is stored, `'optimistic'` if its layer changes
   */
  batch<T>(mutation: Mutation, type: 'fetch' | 'optimistic', run: () => T): T {
    return this.#internals.store.batch(run, {
      action: mutationAction(type, mutation),
      origin: type === 'fetch' ? 'network' : 'app',
    });
  }

  /** Commits changes of mutations with records of the plugin. */
  commit({ origin, hidden = [], withdrawn = [], changed = [], side = {} }: MutationChange): void {
    this.#internals.store.commit(
      (writer) => {
        for (const { endpoint, temporaryPk } of withdrawn) {
          const row = this.chosenRow({ endpoint, args: [{ [endpoint.itemParam ?? 'id']: temporaryPk }] });
          if (row !== undefined)
            writer.setRow(...row, { value: undefined, meta: localMeta(this.#internals, true, Infinity) });
        }
      },
      {
        action: { type: 'optimistic' },
        origin,
        settled: layersOf(hidden),
        replayed: layersOf(changed),
        side,
      },
    );
    for (const mutation of hidden) mutation.layer = mutation.expected = undefined;
  }

  /** Restores the rows that these mutations depend on, so that they are not shown over partial data. */
  restore(mutations: readonly Mutation[]): Promise<void> {
    // Only a queue of mutations needs these, so an app without one does not load them.
    const inBodies = mutations.flatMap(({ endpoint, args }) =>
      args.flatMap((body) => rowsInBody(endpoint, body)),
    );
    return restore(this.#internals, mutations, inBodies);
  }

  /** Makes readers of a temporary pk continue with the server's row, which another tab has received. */
  alias(temporaryPk: string, createdRow: CreatedRow): void {
    const internals = this.#internals;
    const { aliases, store } = internals;
    const { id, pk, shownPk } = createdRow;
    // It is known: the outbox passes all that are on disk, at each read. Lists are moved when they are restored.
    if (aliases.idOf(temporaryPk) === id && aliases.pk(shownPk) === pk) return;
    const creation = { temporaryPk, createdRow };
    addAliases(internals, creation);
    const meta = localMeta(internals, true, Infinity);
    store.commit((writer) => moveCreated(internals, writer, creation, meta, true), {
      action: { type: 'apply' },
      origin: 'app',
    });
  }

  /**
   * The rows that args refer to by pk.
   *
   * @param parents - endpoints whose path is a prefix of the mutation's, such as `ArticleResource.get` for an
   * article's comments
   */
  namedRows(
    { endpoint, args }: Pick<Mutation, 'endpoint' | 'args'>,
    parents: readonly EndpointInterface[],
  ): readonly (readonly [table: string, pk: string])[] {
    return [
      ...[rowNamedBy(endpoint, args), ...parents.map((by) => rowNamedBy(by, parentArgs(by, args)))].filter(
        (row) => row !== undefined,
      ),
      ...args.flatMap((body) => [...relationsIn(endpoint, body)].map(([table, pk]) => [table, pk] as const)),
    ];
  }

  /** The row that a create makes under a pk of the app; undefined for other calls, and if the server assigns the pk. */
  chosenRow({
    endpoint,
    args,
  }: Pick<Mutation, 'endpoint' | 'args'>): readonly [table: string, pk: string] | undefined {
    if (endpoint.ownList === undefined) return undefined;
    // A PUT names it in its path.
    const named = endpoint.renames === true ? rowNamedBy(endpoint, args) : undefined;
    return rowInBody(endpoint, args.at(-1)) ?? named;
  }

  /**
   * The args of a call that is to be sent later, with the pks of the confirmed state in place of those that pending
   * mutations give to entities: if these fail, the args still refer to the same entities. `currentArgs` updates them.
   *
   * @param isConfirmed - whether args name this row by its confirmed pk already
   */
  confirmedArgs(
    { endpoint, args }: Pick<Mutation, 'endpoint' | 'args'>,
    parents: readonly EndpointInterface[],
    isConfirmed: (table: string, pk: string) => boolean,
  ): Pick<Mutation, 'args' | 'givesPk'> {
    const { aliases, store } = this.#internals;
    const renames = [...pendingRenames(store.head)].reverse();
    const pk: CurrentPks['pk'] = (table, shown) =>
      isConfirmed(table, shown)
        ? shown
        : renames.reduce(
            (now, { value }) => (value.table === table && value.to === now ? value.from : now),
            shown,
          );
    const row: RowOf = (table, at) => rowOf(store.base, table, at);
    const own = ownRowOf(endpoint, args);
    const given = own && args.slice(1).map((body) => rowInBody(endpoint, body)?.[1]);
    const givesPk = given?.some((inBody) => inBody !== undefined && inBody !== own?.[1]) === true;
    const call = { endpoint, args, givesPk };
    return { args: this.#argsWith(call, parents, { aliases, row, pk, renames: undefined }), givesPk };
  }

  /** The args with current pks in place of renamed ones; the same args if none was renamed. */
  currentArgs(
    call: Pick<Mutation, 'endpoint' | 'args' | 'givesPk'>,
    parents: readonly EndpointInterface[],
  ): readonly unknown[] {
    return this.#argsWith(call, parents, basePks(this.#internals));
  }

  #argsWith(
    { endpoint, args, givesPk = false }: Pick<Mutation, 'endpoint' | 'args' | 'givesPk'>,
    parents: readonly EndpointInterface[],
    pks: CurrentPks,
  ): readonly unknown[] {
    let current = currentArgs({ endpoint, args }, pks);
    for (const by of parents) {
      const before = parentArgs(by, current);
      const [first, ...rest] = currentArgs({ endpoint: by, args: before }, pks);
      if (first !== before[0]) current = [{ ...(current[0] as object), ...(first as object) }, ...rest]; // params
    }
    const ownRow = ownRowOf(endpoint, args);
    const withBodies = current.map((arg, place) =>
      place === 0 && ownRow !== undefined
        ? arg
        : currentBody(endpoint, arg, givesPk ? undefined : ownRow, pks),
    );
    return withBodies.every((arg, place) => arg === current[place]) ? current : withBodies;
  }

  /** A position in the order of all requests, after those that have begun. */
  nextOrder(): number {
    return this.#internals.clock.tick();
  }

  /**
   * Stores a version of an entity that was received earlier, as in a conflict. A newer version takes precedence, also
   * one that only the disk has.
   *
   * @param order - the position at which it was received, from `nextOrder`
   */
  setReceived(entity: EntityClass, value: unknown, order: number): void {
    setReceived(this.#internals, entity, value, order);
  }

  /** The current pk of a row that was renamed in the confirmed state. */
  movedTo(table: string, pk: string): string | undefined {
    return rowOf(this.#internals.store.base, table, pk)?.movedTo;
  }
}

/** The row that the path parameters of an endpoint identify. */
function ownRowOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
): readonly [table: string, pk: string] | undefined {
  return (endpoint.pathParams?.size ?? 0) > 0 ? rowNamedBy(endpoint, args) : undefined;
}

function layersOf(mutations: readonly Mutation[]): readonly number[] {
  return mutations.flatMap(({ layer }) => layer ?? []);
}
