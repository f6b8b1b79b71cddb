import type { MountedQuery } from '../views/LiveQueries.ts';
import {
  type EndpointArgs,
  type EndpointData,
  type EndpointInterface,
  type NoMutation,
  isEndpoint,
} from '../endpoint/EndpointInterface.ts';
import type { Denormalize, EntityClass, QueryIndex, Schema } from '../schema/Schema.ts';
import type { Snapshot } from '../endpoint/Snapshot.ts';
import type { Meta } from '../schema/Meta.ts';
import type { QueryArgs } from '../schema/query/queryArgs.ts';
import { ExpiryStatus } from '../store/expiry.ts';
import { currentList } from '../store/listRenames.ts';
import type { State } from '../store/State.ts';
import { bindMethods } from '../util/bindMethods.ts';
import { AbsentRows } from './plugins/AbsentRows.ts';
import { restoreQuery } from './plugins/restore.ts';
import { applyRestored, type ApplyOptions } from './plugins/applyRestored.ts';
import { ControllerInternals, type BaseControllerOptions } from './ControllerInternals.ts';
import type { Environment } from './Environment.ts';
import { Fetcher } from './requests/Fetcher.ts';
import { setInternals } from './internalsOf.ts';
import { expireAll, invalidate, invalidateAll, type KeyTest } from './reads/invalidate.ts';
import type { MutationPluginOf } from './plugins/MutationPlugin.ts';
import type { MountedRead, PluginOf, PluginStatus, Unsent } from './plugins/Plugin.ts';
import { PluginHost, type AnyPluginOf } from './plugins/PluginHost.ts';
import { QueryView } from './reads/QueryView.ts';
import { isNullRead, readQueryable, readOf } from './reads/readResult.ts';
import { ReadView } from './reads/ReadView.ts';
import type { InitialStateOf } from './requests/HydrationSource.ts';
import { basePks, currentArgs } from './writes/currentArgs.ts';
import { set, setError, setResponse } from './writes/set.ts';
import { StateSnapshot } from './reads/StateSnapshot.ts';
import type { Restored, StoragePluginOf } from './plugins/StoragePlugin.ts';
import { Subscription } from './reads/Subscription.ts';
import type { ArgsAnd, ReadArgs, CachedResponse, SetArgs, SetTarget } from './verbTypes.ts';
import { watchValue } from './reads/watchValue.ts';

/** A plugin of a controller: see `PluginOf` for its members. */
export type Plugin = PluginOf<Controller>;

/** A plugin that keeps data outside of memory: see `StoragePluginOf` for its members. */
export type StoragePlugin = StoragePluginOf<Controller>;

/** A plugin that sends mutations itself: see `MutationPluginOf` for its members. */
export type MutationPlugin = MutationPluginOf<Controller>;

/** A `Plugin`, `StoragePlugin` or `MutationPlugin`, which may have the members of all three. */
export type AnyPlugin = AnyPluginOf<Controller>;

/** The initial state of a controller; created by `deserialize` or `streamedState`. */
export type InitialState = InitialStateOf<Controller>;

/** Options of a controller. */
export interface ControllerOptions extends BaseControllerOptions {
  /** Plugins; the first is the outermost around requests. */
  readonly plugins?: readonly AnyPlugin[];
  /**
   * The state that the server rendered from, for hydration.
   *
   * @example
   * const text = document.getElementById('state')?.textContent ?? '';
   * const controller = new Controller({ initialState: deserialize(text) });
   */
  readonly initialState?: InitialState;
}

/** Options of `reset`. */
export interface ResetOptions {
  readonly unsent?: Unsent;
  readonly origin?: string;
  readonly at?: number;
}

/**
 * Reads, fetches and changes data, for React components, plain modules and workers alike. Two controllers share
 * nothing. Methods are bound: `const { fetch } = useController()`.
 *
 * @example
 * const controller = new Controller({ plugins: [indexedDB({ name: 'app' })] });
 * const article = await controller.fetch(ArticleResource.get, { id: 5 });
 */
export class Controller {
  /** Resolves when every plugin has started. Reads and fetches wait for it. */
  readonly ready: Promise<void>;
  readonly #internals: ControllerInternals;
  readonly #fetcher: Fetcher;
  /** In the order of the options. */
  readonly plugins: readonly AnyPlugin[];

  /** @throws HoldfastError `HF_PLUGIN` when two plugins have the same name, or one belongs to another controller */
  constructor(options: ControllerOptions = {}) {
    const { plugins = [], initialState, ...rest } = options;
    bindMethods(this);
    const host = new PluginHost<Controller>(plugins);
    this.#internals = new ControllerInternals(rest, host);
    if (host.canRestore)
      this.#internals.absentRows = new AbsentRows(this.#internals, (rows) =>
        restoreQuery(this.#internals, { rows }),
      );
    this.#fetcher = new Fetcher(this.#internals);
    setInternals(this, { core: this.#internals, fetcher: this.#fetcher });
    this.plugins = plugins;
    const starting = host.start(this);
    if (starting !== undefined) this.#fetcher.waitFor(starting);
    this.ready = starting ?? Promise.resolve();
    // Few apps await it, so nothing else would show that a plugin is missing.
    this.ready.catch((reason: unknown) => console.error(reason));
    this.#internals.hydration = initialState?.open(this);
  }

  /** Resolves when the plugins have finished their background restore. */
  get restored(): Promise<void> {
    return this.#internals.plugins.restored;
  }

  /** The current time in ms since the epoch, by the clock in the options. */
  now(): number {
    return this.#internals.now();
  }

  /** Whether the device is online and the page is visible. */
  get environment(): Environment {
    return this.#internals.environment;
  }

  /**
   * Runs a function later, by the scheduler in the options.
   *
   * @param delay - in ms
   * @returns cancels it
   */
  schedule(run: () => void, delay: number): () => void {
    return this.#internals.schedule(run, delay);
  }

  /**
   * Sends a request. Identical reads in flight are shared.
   *
   * @returns the denormalized value if the endpoint has a schema, else the endpoint's return value
   * @throws NetworkError, or HoldfastError `HF_SHAPE`, `HF_PK_MISSING`, `HF_INVALID_ENTITY`, `HF_RESET`, …
   */
  async fetch<E extends EndpointInterface>(endpoint: E, ...args: EndpointArgs<E>): Promise<EndpointData<E>> {
    return (await this.#fetcher.fetch(endpoint, args)) as EndpointData<E>; // the endpoint's schema gives this type
  }

  /**
   * Fresh data at once, else a promise of it. Requests data whenever a mount would: a recent error is not retried
   * before it expires, and rejects. Stale data from disk resolves the promise, and is refreshed in the background.
   */
  fetchIfStale<E extends EndpointInterface>(
    endpoint: E & NoMutation,
    ...args: EndpointArgs<E>
  ): EndpointData<E> | Promise<EndpointData<E>> {
    return this.view(endpoint, args).loadIfStale() as EndpointData<E> | Promise<EndpointData<E>>; // as in fetch
  }

  /**
   * Reads from memory: an entity by its args, or the result of a schema such as `All`, `Query` or a `Collection`.
   * Returns the identical object while nothing in it changes.
   */
  get<S extends Schema>(queryable: S, ...args: QueryArgs<S>): Denormalize<S> | undefined {
    return readQueryable(this.#internals.views, queryable, args) as Denormalize<S> | undefined; // denormalized by S
  }

  /** The current data and expiry of an endpoint, from memory. */
  getResponse<E extends EndpointInterface>(
    endpoint: E & NoMutation,
    ...args: ReadArgs<E>
  ): CachedResponse<EndpointData<E>> {
    if (isNullRead(args))
      return {
        data: undefined,
        expiryStatus: ExpiryStatus.Valid,
        expiresAt: Infinity,
        receivedAt: 0,
        refreshing: false,
      };
    const view = this.view(endpoint, args);
    const { expiryStatus, expiresAt, isLoading: refreshing } = view;
    const data = expiryStatus === ExpiryStatus.Valid ? view.snapshot().data : undefined;
    const receivedAt = this.#internals.store.head.results.get(view.key)?.meta.receivedAt ?? 0;
    return { data: data as EndpointData<E> | undefined, expiryStatus, expiresAt, receivedAt, refreshing }; // denormalized by its schema
  }

  /** The error of the latest request of this read, if it failed. */
  getError<E extends EndpointInterface>(endpoint: E & NoMutation, ...args: ReadArgs<E>): unknown {
    return isNullRead(args)
      ? undefined
      : this.#internals.store.head.results.get(endpoint.key(...args))?.error;
  }

  /**
   * Changes entities or collections in memory, as if a mutation had just been answered.
   *
   * @param rest - the args that identify the target, then the value. For an entity: fields to merge, or a recipe that
   * changes an Immer draft of the stored row (related entities are pks) or returns a new row. For a collection: its
   * members, or a function of the current ones. For a list, map or union of entities: what is merged into each. For a
   * `Delete`: what identifies the entity. For `push`, `remove` and the like of a collection: what is added, removed or
   * moved
   * @throws HoldfastError `HF_NOT_QUERYABLE` when the args do not match the target, `HF_ROW_MISSING` when there is no
   * row for a recipe
   * @example
   * controller.set(Article, { id: '5' }, { title: 'New' });
   * controller.set(Task, { id: '1' }, (draft) => {
   *   draft.isDone = true;
   * });
   * controller.set(
   *   [Task],
   *   [
   *     { id: '1', isDone: true },
   *     { id: '2', isDone: false },
   *   ],
   * );
   */
  set<S extends SetTarget>(target: S, ...rest: SetArgs<S>): void {
    const { args, last } = splitLast(rest);
    set(this.#internals, target, args, last);
  }

  /** Stores a response as if the server had just sent it. */
  setResponse<E extends EndpointInterface>(endpoint: E, ...rest: ArgsAnd<EndpointArgs<E>, unknown>): void {
    const { args, last } = splitLast(rest);
    setResponse(this.#internals, readOf(endpoint, args), last);
  }

  /** Stores an error as if a request had just failed with it. */
  setError<E extends EndpointInterface>(endpoint: E, ...rest: ArgsAnd<EndpointArgs<E>, unknown>): void {
    const { args, last } = splitLast(rest);
    setError(this.#internals, readOf(endpoint, args), last);
  }

  /** Invalidates a read: it shows nothing until it is fetched again. Mounted readers fetch at once. */
  invalidate<E extends EndpointInterface>(endpoint: E & NoMutation, ...args: ReadArgs<E>): void {
    if (!isNullRead(args)) invalidate(this.#internals, readOf(endpoint, args));
  }

  /** `invalidate` for every result whose key passes the test. Tests every stored result. */
  invalidateAll(which: KeyTest): void {
    invalidateAll(this.#internals, which);
  }

  /** Makes every result whose key passes the test stale: it is still shown, and refetched at the next mount. */
  expireAll(which: KeyTest): void {
    expireAll(this.#internals, which);
  }

  /**
   * Calls `listener` with the data whenever the result of this endpoint, entity or other schema changes. Does not
   * fetch.
   *
   * @param rest - the args, then the listener, which gets undefined if there is no data
   * @returns a function that stops watching
   */
  watch<E extends EndpointInterface>(
    endpoint: E & NoMutation,
    ...rest: ArgsAnd<ReadArgs<E>, (data: EndpointData<E> | undefined) => void>
  ): () => void;
  watch<S extends Schema>(
    queryable: S,
    ...rest: readonly [...args: QueryArgs<S>, listener: (data: Denormalize<S> | undefined) => void]
  ): () => void;
  watch(source: EndpointInterface | Schema, ...rest: readonly unknown[]): () => void {
    const { args, last } = splitLast(rest);
    const listener = last as (data: unknown) => void; // the overloads put it last
    if (isNullRead(args)) return () => undefined;
    if (isEndpoint(source)) {
      const view = this.view(source, args);
      return watchValue(
        () => view.data,
        (changed) => view.subscribe(changed),
        listener,
      );
    }
    const { snapshot, subscribe } = this.queryView(source, args);
    return watchValue(snapshot, subscribe, listener);
  }

  /**
   * Keeps a read up to date until `unsubscribe` has been called as often: by a plugin that handles it
   * (`Plugin.subscribe`), else by polling every `pollFrequency` ms while the page is visible and online. Does not
   * fetch at once.
   *
   * @example
   * controller.subscribe(getPrice, { symbol });
   * return () => controller.unsubscribe(getPrice, { symbol });
   */
  subscribe<E extends EndpointInterface>(endpoint: E & NoMutation, ...args: ReadArgs<E>): void {
    const internals = this.#internals;
    if (isNullRead(args) || internals.plugins.isStopped) return;
    const read = readOf(endpoint, args);
    const cached = internals.reads.getOrCreate(read);
    cached.subscription ??= new Subscription(
      internals,
      read.endpoint,
      () => currentArgs(read, basePks(internals)),
      // Its key may throw. Polling continues then, as after any other error.
      async (polled) => this.#fetcher.fetch(polled, read.args),
    );
    cached.subscription.add(read.endpoint);
  }

  /** Removes one `subscribe` of the same read. */
  unsubscribe<E extends EndpointInterface>(endpoint: E & NoMutation, ...args: ReadArgs<E>): void {
    if (isNullRead(args)) return;
    const { endpoint: read, key } = readOf(endpoint, args);
    this.#internals.reads.get(key)?.unsubscribe(read);
  }

  /** For plugins: the mounted reads, each once. Checks each of them. */
  mountedReads(): MountedRead[] {
    const mounted = [...this.#internals.reads.values()].filter(({ observers }) => observers > 0);
    return mounted.map(({ endpoint, args, key, observers: readers }) => {
      const { isStale } = this.view(endpoint, args);
      return { endpoint, args, key, isStale, readers };
    });
  }

  /** For plugins: the keys of mounted reads, at most `limit`. Checks none of them. */
  mountedKeys(limit = Infinity): string[] {
    const keys: string[] = [];
    for (const { key, observers } of this.#internals.reads.values())
      if (observers > 0 && keys.push(key) >= limit) break;
    return keys;
  }

  /** For plugins: the mounted queries of stored rows, with the indexes of live queries. */
  mountedQueries(): MountedQuery[] {
    return this.#internals.views.liveQueries.mounted();
  }

  /** For plugins: the indexes of live queries, also those that are kept for `gcTime` after their last reader. */
  queryIndexes(): readonly QueryIndex[] {
    return this.#internals.views.liveQueries.indexes;
  }

  /** For plugins: the rows that mounted live queries show, at most `limit`, without those that they refer to. */
  queriedRows(limit: number): (readonly [table: string, pk: string])[] {
    return this.#internals.views.liveQueries.rows(limit);
  }

  /**
   * The view of an endpoint read, for hooks. The args must not be null.
   *
   * @param key - the endpoint's key for these args
   */
  view(endpoint: EndpointInterface, args: readonly unknown[], key?: string): ReadView {
    return new ReadView(this.#internals, this.#fetcher, readOf(endpoint, args, key));
  }

  /** The view of a query of the stored rows, for hooks. */
  queryView(queryable: Schema, args: readonly unknown[]): QueryView {
    return new QueryView(this.#internals, queryable, args);
  }

  /**
   * A stable key for an entity while it is on screen: the pk that it was first shown under, even after a create or a
   * rename has given it another.
   *
   * @example
   * articles.map((article) => (
   *   <li key={controller.keyOf(article)}>{article.title}</li>
   * ));
   */
  keyOf(entity: object): string {
    const Class = entity.constructor as EntityClass; // its class
    return this.#internals.aliases.keyOf(Class.key, Class.pk(entity) ?? '');
  }

  /**
   * A snapshot of the current state, unaffected by later changes.
   *
   * @param options - `optimistic: false` leaves out what pending mutations show, such as a deletion: for the version
   * that the server has
   */
  snapshot({ optimistic = true }: { readonly optimistic?: boolean } = {}): Snapshot {
    const { store, registry, now } = this.#internals;
    return new StateSnapshot(optimistic ? store.head : store.base, registry, now());
  }

  /** The current state as stored, with optimistic layers. */
  getState(): State {
    return this.#internals.store.head;
  }

  /**
   * Combines everything that `run` writes into one commit and one notification.
   *
   * @param notify - `'frame'` notifies components and watchers just before the next frame is painted, together with
   * other such batches, or earlier with the next regular notification; for streams of many changes a second. Reads
   * see the changes at once. Default: notifies when this returns
   * @example
   * socket.onmessage = ({ data }: MessageEvent<string>) => {
   *   const { symbol, amount } = JSON.parse(data) as Price;
   *   controller.batch(() => controller.set(Price, { symbol }, { amount }), {
   *     notify: 'frame',
   *   });
   * };
   */
  batch<T>(run: () => T, { notify = 'now' }: { readonly notify?: 'now' | 'frame' } = {}): T {
    const batch = (): T => this.#internals.store.batch(run, { action: { type: 'batch' }, origin: 'app' });
    return notify === 'frame' ? this.#internals.notifier.deferToFrame(batch) : batch();
  }

  /**
   * Clears everything: memory at once, the storage of plugins when the promise resolves. Requests that started before
   * are discarded.
   *
   * @param unsent - `'keep'`: mutations in the outbox that have not reached the server stay on disk and are sent once
   * the same user has signed in; `'discard'` (default) deletes those too
   * @param origin - for plugins: the name of the plugin that announces a reset of another tab
   * @param at - for plugins: when that tab was reset, in ms since the epoch, by which others recognize the same reset;
   * 0 (default) if that is unknown
   */
  async reset({ origin = 'app', unsent = 'discard', at = 0 }: ResetOptions = {}): Promise<void> {
    const resetAt = this.#internals.reset(origin, at);
    // A misspelled value must not discard mutations.
    const policy = unsent === 'discard' ? unsent : 'keep';
    await this.#internals.plugins.each((plugin) => plugin.reset?.(origin, policy, resetAt));
  }

  /**
   * The status of a plugin, such as `'indexeddb'`; undefined if there is no such plugin, or it has none. Use it with
   * `useStatus` in React.
   */
  status(plugin: string): PluginStatus | undefined {
    return this.#internals.plugins.all.find(({ name }) => name === plugin)?.status;
  }

  /** Resolves when everything committed so far is durable. */
  flush(): Promise<void> {
    return this.#internals.plugins.each((plugin) => plugin.flush?.());
  }

  /** Stops the plugins. Data in memory can still be read. */
  stop(): Promise<void> {
    this.#internals.stop();
    return this.#internals.plugins.stop();
  }

  /** For plugins: merges rows and results with their own times, never over newer ones. */
  apply(restored: Restored, options: ApplyOptions): void {
    applyRestored(this.#internals, restored, options);
    // A storage plugin returns changes that this tab has made itself, whose lists it has read again already.
    if (options.type !== 'restore') this.#fetcher.responseWriter.refetchLists(restored.listChanges ?? []);
  }

  /**
   * For plugins: this tab has missed changes of other tabs, so plugins with shared storage read it again.
   *
   * @returns whether a storage plugin has done so; otherwise rows and results may be outdated
   */
  async catchUp(): Promise<boolean> {
    const { plugins } = this.#internals;
    await plugins.each(async (plugin) => {
      await plugin.catchUp?.();
      await plugin.syncRecords?.('missed');
    });
    return plugins.all.some((plugin) => plugin.catchUp !== undefined);
  }

  /** For plugins: the classes that read a table, such as a summary and a detail; empty if none is known yet. */
  entitiesOf(table: string): readonly EntityClass[] {
    return this.#internals.registry.of(table);
  }

  /** For plugins: advances the clock past an order from elsewhere (disk, another tab). */
  witness(order: number): void {
    this.#internals.clock.witness(order);
  }

  /** For plugins: the pk that a list of this age has now, if the entity that it is below was renamed since. */
  currentList(list: string, meta: Meta): string {
    return currentList(this.#internals.store.base, list, meta);
  }

  /** For plugins: the schema of a stored or mounted result; undefined if unknown. */
  schemaOf(key: string): Schema | undefined {
    return this.#internals.schemaOf(key);
  }
}

function splitLast(rest: readonly unknown[]): { readonly args: readonly unknown[]; readonly last: unknown } {
  return { args: rest.slice(0, -1), last: rest.at(-1) };
}
