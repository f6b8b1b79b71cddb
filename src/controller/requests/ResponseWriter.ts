import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { listAddersOf, listTablesIn } from '../../endpoint/rest/collectionOf.ts';
import { MISSING } from '../../schema/missing.ts';
import type { Meta } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { isUnanswered } from '../../util/errorStatus.ts';
import { shapeOf } from '../../schema/shapeOf.ts';
import { isUnknownChange, UNKNOWN_CHANGE, type ListChange } from '../../store/lazyListRow.ts';
import { rowOf, type State } from '../../store/State.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { explainMissing } from '../../views/descendants.ts';
import { ValueNode } from '../../views/RootNode.ts';
import { Views } from '../../views/Views.ts';
import { checkMembers } from '../checks/checkMembers.ts';
import type { Read } from '../plugins/Plugin.ts';
import { expireAll } from '../reads/invalidate.ts';
import type { MutationRequest, NetworkRequest } from './NetworkRequest.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Mutation } from '../writes/Mutation.ts';
import { basePks, currentPathArgs } from '../writes/currentArgs.ts';
import { mutationRecords } from '../writes/mutationRecords.ts';
import { actionOf, responseMeta, writeErrorResult, writeResponse, type Written } from './writeResponse.ts';
import { normalizeResponse } from './normalizeResponse.ts';

/** Writes responses and errors of requests into the store. */
export class ResponseWriter {
  readonly #internals: ControllerInternals;
  readonly #fetch: (read: Read) => Promise<unknown>;

  /** @param fetch - sends the request of a read */
  constructor(internals: ControllerInternals, fetch: (read: Read) => Promise<unknown>) {
    this.#internals = internals;
    this.#fetch = fetch;
  }

  /**
   * Stores the response of a read.
   *
   * @param refetch - requests it again, if the response was invalidated or deleted in the meantime
   * @returns the value that the read has now
   * @throws HoldfastError when the response does not match its schema, or cannot be shown
   */
  writeRead(sent: NetworkRequest, response: unknown, refetch: () => Promise<unknown>): unknown {
    const internals = this.#internals;
    const { endpoint, args } = sent;
    // A page has the result of its list.
    const request = { ...sent, key: endpoint.resultKey?.(...args) ?? sent.key };
    let normalized: Normalized;
    let written: Written;
    try {
      this.#assertSameShape(request);
      checkNull(endpoint, response);
      normalized = normalizeResponse(
        internals,
        endpoint,
        currentPathArgs(request, basePks(internals)),
        response,
      );
      const meta = responseMeta(internals, request, 0, internals.dataExpiryLength(endpoint));
      written = writeResponse(internals, request, normalized, meta, {
        action: actionOf('fetch', request),
        origin: 'network',
      });
    } catch (error) {
      this.writeError(request, error);
      throw error;
    }
    if (endpoint.schema === undefined) return response;
    // A read that is not mounted is stale now, so its next mount requests it.
    if (written === 'overtaken' && (internals.reads.get(request.key)?.observers ?? 0) > 0)
      refetch().catch(() => undefined);
    if (written === 'no') {
      const denormalized = internals.views.denormalize(endpoint.schema, normalized.result, args);
      if (denormalized !== MISSING) return denormalized ?? response;
    }
    return this.#readBack(request, normalized, refetch);
  }

  /** Two readers of one result in two shapes would overwrite each other for ever. */
  #assertSameShape({ endpoint, key }: NetworkRequest): void {
    const { reads, store } = this.#internals;
    const shape = store.head.results.get(key)?.shape;
    const read = reads.get(key);
    if (read === undefined || read.observers === 0 || shape === undefined) return;
    if (shape === shapeOf(endpoint.schema) || shape !== shapeOf(read.endpoint.schema)) return;
    throw new HoldfastError(
      'HF_TWO_SCHEMAS',
      `${endpoint.name} has the key (${key}) of ${read.endpoint.name}, which is mounted, and a schema of another shape; set a different key`,
    );
  }

  /** The value of a read after its response, or as soon as a pending mutation no longer hides it. */
  #readBack(request: NetworkRequest, normalized: Normalized, refetch: () => Promise<unknown>): unknown {
    const internals = this.#internals;
    const { endpoint, key, args } = request;
    const data = internals.views.result(key, endpoint.schema, args);
    // The response may refer to rows that are only on disk.
    const restoring = internals.absentRows?.restore();
    if (restoring !== undefined) return restoring.then(() => this.#readBack(request, normalized, refetch));
    if (data !== MISSING) {
      if (process.env.NODE_ENV !== 'production')
        checkMembers(
          internals,
          internals.views,
          endpoint,
          internals.views.resultNode(key, endpoint.schema, args),
        );
      return data;
    }
    const confirmed = new Views({ head: internals.store.base }, internals.registry);
    if (confirmed.result(key, endpoint.schema, args) !== MISSING)
      return internals.notifier.nextSettled().then(() => this.#readBack(request, normalized, refetch));
    // What was invalidated or deleted in the meantime is requested again.
    const isPast =
      request.mutationGeneration !== internals.reads.mutationGeneration ||
      internals.store.base.results.get(key)?.invalidated === true ||
      isDeleted(normalized, internals.store.base);
    if (isPast) return refetch();
    const why = internals.views.inspect(
      internals.views.resultNode(key, endpoint.schema, args),
      explainMissing,
    );
    const error = new HoldfastError(
      'HF_INVALID_ENTITY',
      `The response of ${endpoint.name} cannot be shown, since ${why}; check validate() and schema`,
    );
    this.writeError(request, error);
    throw error;
  }

  /**
   * Stores the response of a mutation; returns its value, or a promise of it if that needs rows that are only on disk.
   *
   * @throws HoldfastError as `mutationRecords` does
   * @param deferRebase - whether another response of the same batch follows, with which the layers are rebased
   */
  writeMutation(request: MutationRequest, response: unknown, deferRebase = false): unknown {
    const internals = this.#internals;
    const { endpoint, mutation, answered } = request;
    internals.reads.mutationGeneration += 1;
    const { received, assumed } = mutationRecords(internals, request, response);
    const length = assumed === undefined ? internals.dataExpiryLength(endpoint) : 0;
    const ownMeta = responseMeta(internals, request, answered ?? internals.clock.tick(), length);
    const mayBeRepeated = mutation.isRepeated === true && answered === undefined;
    const meta = mayBeRepeated ? metaOfRepeated(internals, mutation, ownMeta) : ownMeta;
    const { layer } = mutation;
    writeResponse(internals, request, assumed ?? received, meta, {
      action: actionOf('fetch', request),
      origin: 'network',
      settled: layer === undefined ? [] : [layer],
      deferRebase,
    });
    if (assumed === undefined && received.entities.size === 0) this.#outdateLists(endpoint, meta);
    return deferRebase ? response : this.#mutationValue(request, received.result, response);
  }

  /**
   * Makes all tabs read the lists again that a mutation may have changed, if its response has no record: what was shown
   * without the server's pk is gone.
   */
  #outdateLists(endpoint: EndpointInterface, meta: Meta): void {
    const { schema, name, ownList, appendTo } = endpoint;
    const tables = [schema, ...listAddersOf({ name, ownList, appendTo })].flatMap(listTablesIn);
    if (tables.length === 0) return;
    const changes = tables.map((table) => ({ ...UNKNOWN_CHANGE, table, meta }));
    this.#internals.store.commit(
      (writer) => {
        for (const change of changes) writer.changeLists(change);
      },
      { action: { type: 'expireAll' }, origin: 'app' },
    );
    // The schemas of lists that have not been read yet are unknown. They have the path of the mutation, or it names them.
    const named = [appendTo ?? []].flat().filter((target) => 'testKey' in target);
    this.refetchLists(
      changes,
      (key) => endpoint.testKey(key.replace('GET', 'POST')) || named.some((list) => list.testKey(key)),
    );
  }

  /**
   * Reads the lists again of which the server alone knows what has changed: those on screen at once, the others when
   * they are next used.
   *
   * @param testOther - selects further results
   */
  refetchLists(changes: readonly ListChange[], testOther: (key: string) => boolean = () => false): void {
    const tables = changes.filter(isUnknownChange).map(({ table }) => table);
    if (tables.length === 0) return;
    const internals = this.#internals;
    const testKey = (key: string): boolean =>
      listTablesIn(internals.schemaOf(key)).some((table) => tables.includes(table)) || testOther(key);
    expireAll(internals, { testKey });
    for (const read of internals.reads.values())
      if (read.observers > 0 && testKey(read.key)) this.#fetch(read).catch(() => undefined);
  }

  /** What `fetch` resolves with if no stored result is read: the denormalized response, or the raw one. */
  #mutationValue(request: NetworkRequest, normalized: unknown, response: unknown): unknown {
    const { views, absentRows } = this.#internals;
    const { endpoint, args } = request;
    const denormalized = views.denormalize(endpoint.schema, normalized, args);
    const restoring = absentRows?.restore();
    if (restoring !== undefined)
      return restoring.then(() => this.#mutationValue(request, normalized, response));
    if (process.env.NODE_ENV !== 'production')
      checkMembers(this.#internals, views, endpoint, new ValueNode(endpoint.schema, normalized, args));
    return denormalized === MISSING || denormalized === undefined ? response : denormalized;
  }

  /** Stores a read's error beside its data. An aborted refresh is ignored while there is data to show. */
  writeError(request: NetworkRequest, error: unknown): void {
    const internals = this.#internals;
    const { endpoint, key, args } = request;
    // A page is not a read of its own, and its failure does not affect the list.
    if (endpoint.resultKey !== undefined) return;
    if (
      isAbort(error, endpoint.signal) &&
      endpoint.invalidIfStale !== true &&
      internals.views.result(key, endpoint.schema, args) !== MISSING
    )
      return;
    if (isUnanswered(error)) internals.watchReconnects();
    writeErrorResult(
      internals,
      key,
      error,
      responseMeta(internals, request, 0, internals.errorExpiryLength(endpoint)),
      {
        action: actionOf('fetchError', request),
        origin: 'network',
      },
    );
  }
}

/**
 * The meta of a response to a repeated mutation. If the row that it has created is already stored, and newer than the
 * mutation, an earlier attempt has created it: the server has repeated its response to that attempt.
 */
function metaOfRepeated(
  { store }: ControllerInternals,
  { endpoint, createdRow, order, temporaryPk }: Mutation,
  meta: Meta,
): Meta {
  if (createdRow === undefined) return meta;
  const { table, pk, shownPk } = createdRow;
  // An update that creates rows inside of its own has not created that.
  if (pk === shownPk && endpoint.ownList === undefined) return meta;
  const row = rowOf(store.base, table, pk);
  // Another entity may have had this pk: see `reuseOf` in `queuedLayer.ts`.
  const isReused = rowOf(store.head, table, temporaryPk)?.movedTo === pk;
  if (row === undefined || row.meta.order <= order || isReused) return meta;
  const before = row.meta.order - 1;
  return { ...meta, order: before, answered: before };
}

/**
 * Null may mean that there is no such entity, but it is not a list or an object of lists.
 *
 * @throws HoldfastError `HF_SHAPE`
 */
export function checkNull({ name, schema }: EndpointInterface, response: unknown): void {
  if (response !== null && response !== undefined) return;
  const shape = shapeOf(schema);
  if (/^(?:\[|\{(?!"union"))/.test(shape))
    throw new HoldfastError(
      'HF_SHAPE',
      `The response of ${name} should be a list, or an object of lists and entities, but ${describe(response)} arrived; return an empty one if there are none`,
    );
}

/** Whether an entity of the response has since been deleted. */
function isDeleted({ entities }: Normalized, base: State): boolean {
  for (const [table, rows] of entities) {
    for (const { pk, value } of rows.values()) {
      const row = rowOf(base, table, pk);
      if (value !== undefined && row !== undefined && row.value === undefined) return true;
    }
  }
  return false;
}

/** Whether a rejection of an endpoint, which may use any HTTP client, was caused by an aborted signal. */
function isAbort(error: unknown, signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted === true) return true;
  // In tests and frames its class exists several times.
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  return name === 'AbortError' || name === 'TimeoutError';
}
