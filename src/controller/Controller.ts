import type { EndpointArgs, EndpointData, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Collection, CollectionSchema } from '../schema/Collection.ts';
import type { CollectionChange } from '../schema/CollectionChange.ts';
import type { Denormalize, EntityClass, Schema } from '../schema/Schema.ts';
import type { Snapshot } from '../endpoint/Snapshot.ts';
import type { QueryArgs } from '../schema/queryArgs.ts';
import { ExpiryStatus } from '../store/expiry.ts';
import type { State } from '../store/State.ts';
import { bindMethods } from '../util/bindMethods.ts';
import { applyRestored, type ApplyOptions } from './applyRestored.ts';
import { Core, type CoreOptions } from './Core.ts';
import type { Environment } from './Environment.ts';
import { Fetcher } from './Fetcher.ts';
import { expireAll, invalidate, invalidateAll, type KeyTest } from './invalidate.ts';
import { isNullRead } from './nullRead.ts';
import type { MountedRead, PluginOf, PluginStatus, Restored, Unsent } from './Plugin.ts';
import { PluginHost } from './PluginHost.ts';
import { QueryView } from './QueryView.ts';
import { readQueryable, readOf } from './reading.ts';
import { ReadView } from './ReadView.ts';
import type { InitialStateOf } from './ServerReads.ts';
import { set } from './set.ts';
import { setError, setResponse } from './setResponse.ts';
import { StateSnapshot } from './StateSnapshot.ts';
import { Subscriptions } from './Subscriptions.ts';
import type {
  ArgsAnd,
  CollectionValue,
  ReadArgs,
  ResponseReading,
  SetValue,
  SeveralEntities,
} from './verbTypes.ts';
import { watchValue } from './watchValue.ts';

/** A plugin of a controller: see `PluginOf` for its members. */
export type Plugin = PluginOf<Controller>;

/** What a controller may begin with; made by `deserialize` or `streamedState`. */
export type InitialState = InitialStateOf<Controller>;

/** Options of a controller. */
export interface ControllerOptions extends CoreOptions {
  /** Plugins, the first outermost around requests. */
  readonly plugins?: readonly Plugin[];
  /**
   * What a server rendered from, for the page to hydrate from.
   *
   * @example
   * const text = document.getElementById('state')?.textContent ?? '';
   * const controller = new Controller({ initialState: deserialize(text) });
   */
  readonly initialState?: InitialState;
}

/** How a controller is reset. */
export interface ResetOptions {
  readonly unsent?: Unsent;
  readonly origin?: string;
}

/**
 * What a controller is made of, for what works on it without being a member of it. Set once, by the class, which alone
 * sees its private members.
 */
export let partsOf: (controller: Controller) => { readonly core: Core; readonly fetcher: Fetcher };

/**
 * Everything that can be done with data, for React components, plain modules and workers alike. Two controllers
 * never share anything. Methods may be taken out of it: `const { fetch } = useController()`.
 *
 * @example
 * const controller = new Controller({ plugins: [indexedDB({ name: 'app' })] });
 * const article = await controller.fetch(ArticleResource.get, { id: 5 });
 */
export class Controller {
  /** Resolves when every plugin has started. Reads and fetches wait for it by themselves. */
  readonly ready: Promise<void>;
  readonly #core: Core;
  readonly #fetcher: Fetcher;
  readonly #subscriptions: Subscriptions;
  /** In the order of the options. */
  readonly plugins: readonly Plugin[];

  static {
    partsOf = (controller) => ({ core: controller.#core, fetcher: controller.#fetcher });
  }

  /** @throws HoldfastError `HF_PLUGIN` when two plugins have one name, or one is another controller's */
  constructor(options: ControllerOptions = {}) {
    const { plugins = [], initialState, ...rest } = options;
    bindMethods(this);
    const host = new PluginHost<Controller>(plugins);
    this.#core = new Core(rest, host);
    this.#fetcher = new Fetcher(this.#core);
    this.#subscriptions = new Subscriptions(this.#core, this.#fetcher);
    this.plugins = plugins;
    const starting = host.start(this);
    if (starting !== undefined) this.#fetcher.waitFor(starting);
    this.ready = starting ?? Promise.resolve();
    // Who does not wait for `ready` learns of a failed start from the plugin's own `onError`.
    this.ready.catch(() => undefined);
    this.#core.serverReads = initialState?.open(this);
  }

  /** Resolves when the plugins have restored what they restore without being asked. */
  get restored(): Promise<void> {
    return this.#core.plugins.each((plugin) => plugin.restored);
  }

  /** The time in ms since the epoch, by the clock given in the options. */
  now(): number {
    return this.#core.now();
  }

  /** Whether there is a network and somebody to see the page. */
  get environment(): Environment {
    return this.#core.environment;
  }

  /**
   * Runs something later, by the schedule given in the options.
   *
   * @param delay - in ms
   * @returns cancels it
   */
  schedule(run: () => void, delay: number): () => void {
    return this.#core.schedule(run, delay);
  }

  /**
   * Asks the network. Identical reads under way are shared.
   *
   * @returns the joined value where the endpoint has a schema, else what the endpoint returned
   * @throws NetworkError, or HoldfastError `HF_SHAPE`, `HF_PK_MISSING`, `HF_INVALID_ENTITY`, `HF_RESET`, …
   */
  async fetch<E extends EndpointInterface>(endpoint: E, ...args: EndpointArgs<E>): Promise<EndpointData<E>> {
    return (await this.#fetcher.fetch(endpoint, args)) as EndpointData<E>; // the endpoint's schema gives this type
  }

  /**
   * The data at once when it is fresh, else a promise of it. Asks the server where a mount would: what has just failed
   * is not asked for again before its error expires, and rejects with that.
   */
  fetchIfStale<E extends EndpointInterface>(
    endpoint: E,
    ...args: EndpointArgs<E>
  ): EndpointData<E> | Promise<EndpointData<E>> {
    return this.view(endpoint, args).loadIfStale() as EndpointData<E> | Promise<EndpointData<E>>; // as in fetch
  }

  /**
   * What is in memory of these args: an entity, or what another schema finds, such as `All`, `Query` or a `Collection`.
   * Identical while nothing in it changes.
   */
  get<S extends Schema>(queryable: S, ...args: QueryArgs<S>): Denormalize<S> | undefined {
    return readQueryable(this.#core.views, queryable, args) as Denormalize<S> | undefined; // joined by S
  }

  /** What a read of this endpoint has, from memory. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: ReadArgs<E>
  ): ResponseReading<EndpointData<E>> {
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
    const receivedAt = this.#core.store.head.results.get(view.key)?.meta.receivedAt ?? 0;
    return { data: data as EndpointData<E> | undefined, expiryStatus, expiresAt, receivedAt, refreshing }; // joined by its schema
  }

  /** The error of the newest request of this read, where it failed. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: ReadArgs<E>): unknown {
    return isNullRead(args) ? undefined : this.#core.store.head.results.get(endpoint.key(...args))?.error;
  }

  /**
   * Changes entities, or what `Collection`s hold, in memory at once, as if a mutation had been answered now.
   *
   * @param rest - the args that name it, then for an entity either fields to merge, or a recipe, which gets an Immer
   * draft of the stored row (related entities are pks there) and changes it or returns a new one; for a collection all
   * its members, or a function that makes them of the present ones. For a list, map or union of entities, what is merged
   * into each; for `push`, `remove` and the like of a collection, what is added, taken out or moved
   * @throws HoldfastError `HF_NOT_QUERYABLE` when the args name nothing or something else, `HF_ROW_MISSING` when a
   * recipe finds no row
   * @example
   * controller.set(Article, { id: 5 }, { title: 'New' });
   * controller.set(Task, { id: 1 }, (draft) => {
   *   draft.isDone = true;
   * });
   * controller.set(
   *   [Task],
   *   [
   *     { id: 1, isDone: true },
   *     { id: 2, isDone: false },
   *   ],
   * );
   */
  set<E extends EntityClass>(entity: E, ...rest: readonly [...args: unknown[], value: SetValue<E>]): void;
  set<C extends CollectionSchema>(
    collection: Collection<C>,
    ...rest: readonly [...args: unknown[], value: CollectionValue<Denormalize<C>>]
  ): void;
  set(
    change: CollectionChange<unknown>,
    ...rest: readonly [...args: unknown[], value: Readonly<Record<string, unknown>> | readonly object[]]
  ): void;
  set(several: SeveralEntities, ...rest: readonly [...args: unknown[], value: unknown]): void;
  set(queryable: Schema, ...rest: readonly unknown[]): void {
    const { args, last } = split(rest);
    set(this.#core, queryable, args, last);
  }

  /** Stores a response as if the network had given it now. */
  setResponse<E extends EndpointInterface>(endpoint: E, ...rest: ArgsAnd<EndpointArgs<E>, unknown>): void {
    const { args, last } = split(rest);
    setResponse(this.#core, readOf(endpoint, args), last);
  }

  /** Stores an error as if a request had failed with it now. */
  setError<E extends EndpointInterface>(endpoint: E, ...rest: ArgsAnd<EndpointArgs<E>, unknown>): void {
    const { args, last } = split(rest);
    setError(this.#core, readOf(endpoint, args), last);
  }

  /** Makes a read show nothing until it is fetched again. Mounted readers fetch at once. */
  invalidate<E extends EndpointInterface>(endpoint: E, ...args: ReadArgs<E>): void {
    if (!isNullRead(args)) invalidate(this.#core, readOf(endpoint, args));
  }

  /** `invalidate` for every result whose key passes the test. Costs a test of each stored result. */
  invalidateAll(which: KeyTest): void {
    invalidateAll(this.#core, which);
  }

  /** Makes every result whose key passes the test stale: it is still shown, and fetched at the next mount. */
  expireAll(which: KeyTest): void {
    expireAll(this.#core, which);
  }

  /**
   * Calls `listener` with the data whenever what this endpoint, entity or other schema reads has changed. Does not fetch.
   *
   * @param rest - the args, then the listener, which gets undefined when there is nothing to show
   * @returns stops watching
   */
  watch<E extends EndpointInterface>(
    endpoint: E,
    ...rest: ArgsAnd<ReadArgs<E>, (data: EndpointData<E> | undefined) => void>
  ): () => void;
  watch<S extends Schema>(
    queryable: S,
    ...rest: readonly [...args: QueryArgs<S>, listener: (data: Denormalize<S> | undefined) => void]
  ): () => void;
  watch(source: EndpointInterface | Schema, ...rest: readonly unknown[]): () => void {
    const { args, last } = split(rest);
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
   * Keeps a read up to date until `unsubscribe` has been called as often: by a plugin that takes it (`Plugin.subscribe`),
   * else by fetching it every `pollFrequency` ms, but not while the page is hidden or offline. Fetches nothing at once.
   *
   * @example
   * controller.subscribe(getPrice, { symbol });
   * return () => controller.unsubscribe(getPrice, { symbol });
   */
  subscribe<E extends EndpointInterface>(endpoint: E, ...args: ReadArgs<E>): void {
    if (!isNullRead(args)) this.#subscriptions.add(readOf(endpoint, args));
  }

  /** Ends one `subscribe` of the same read. */
  unsubscribe<E extends EndpointInterface>(endpoint: E, ...args: ReadArgs<E>): void {
    if (!isNullRead(args)) this.#subscriptions.remove(readOf(endpoint, args));
  }

  /** For plugins: the reads that are on screen, each once. Costs a look at each of them. */
  mountedReads(): MountedRead[] {
    return [...this.#core.mounts.reads()].map(({ endpoint, args, key, readers }) => {
      const { isStale } = this.view(endpoint, args);
      return { endpoint, args, key, isStale, readers };
    });
  }

  /**
   * One endpoint read with given args, for hooks and the like. The args must not be null.
   *
   * @param key - of the endpoint and these args
   */
  view(endpoint: EndpointInterface, args: readonly unknown[], key: string = endpoint.key(...args)): ReadView {
    return new ReadView(this.#core, this.#fetcher, readOf(endpoint, args, key));
  }

  /** What args ask of the rows by a schema, for hooks and the like. */
  queryView(queryable: Schema, args: readonly unknown[]): QueryView {
    return new QueryView(this.#core, queryable, args);
  }

  /**
   * What names an entity for as long as it is on screen: the pk that it was first shown under, although the server has
   * given it another since it was created, or renamed.
   *
   * @example
   * articles.map((article) => (
   *   <li key={controller.keyOf(article)}>{article.title}</li>
   * ));
   */
  keyOf(entity: object): string {
    const Class = entity.constructor as EntityClass; // what it is an instance of
    return this.#core.aliases.keyOf(Class.key, Class.pk(entity) ?? '');
  }

  /** What readers see now, to be read while the store goes on. */
  snapshot(): Snapshot {
    return new StateSnapshot(this.#core.store.head, this.#core.registry, this.#core.now());
  }

  /** What readers see, as stored. */
  getState(): State {
    return this.#core.store.head;
  }

  /**
   * Makes one commit and one notification of all that `run` writes.
   *
   * @param notify - `'frame'`: components and watchers are told just before the next frame is painted, together with
   * those of other such batches, or earlier with whatever is told at once; for streams of many changes a second. What
   * was written is read at once, as always. Default: they are told when this returns
   * @example
   * socket.onmessage = ({ data }: MessageEvent<string>) => {
   *   const { symbol, amount } = JSON.parse(data) as Price;
   *   controller.batch(() => controller.set(Price, { symbol }, { amount }), {
   *     notify: 'frame',
   *   });
   * };
   */
  batch<T>(run: () => T, { notify = 'now' }: { readonly notify?: 'now' | 'frame' } = {}): T {
    const batch = (): T => this.#core.store.batch(run, { action: { type: 'batch' }, origin: 'app' });
    return notify === 'frame' ? this.#core.delivery.gather(batch) : batch();
  }

  /**
   * Forgets everything: memory at once, and what plugins keep when the promise resolves. No request that began
   * before can land after it.
   *
   * @param unsent - `'keep'`: mutations in the outbox that have not reached the server stay on disk, to be sent once the
   * same user has signed in; `'discard'`, the default, forgets those too
   * @param origin - for plugins: the name of the one that tells of a reset in another tab
   */
  async reset({ origin = 'app', unsent = 'discard' }: ResetOptions = {}): Promise<void> {
    this.#core.reset(origin);
    await this.#core.plugins.each((plugin) => plugin.reset?.(origin, unsent));
  }

  /**
   * How a plugin is doing, such as `'indexeddb'`; undefined where there is none of that name, or it has nothing to tell.
   * In React, `useStatus` shows it.
   */
  status(plugin: string): PluginStatus | undefined {
    return this.#core.plugins.all.find(({ name }) => name === plugin)?.status;
  }

  /** Resolves when everything committed so far is durable. */
  flush(): Promise<void> {
    return this.#core.plugins.each((plugin) => plugin.flush?.());
  }

  /** Stops the plugins. What is in memory can still be read. */
  stop(): Promise<void> {
    this.#subscriptions.stop();
    this.#core.stop();
    return this.#core.plugins.stop();
  }

  /** For plugins: merges rows and results that bring their own times, never over something newer. */
  apply(restored: Restored, { origin, type = 'apply', side = {}, isHandedOver }: ApplyOptions): void {
    const settled = this.#core.plugins.settledBy(side);
    applyRestored(this.#core, restored, { action: { type }, origin, settled }, isHandedOver);
  }

  /**
   * For plugins: this tab has missed changes of others, so those that share something with them read it anew.
   *
   * @returns whether there is such a plugin
   */
  async catchUp(): Promise<boolean> {
    const { plugins } = this.#core;
    await plugins.each((plugin) => plugin.catchUp?.());
    return plugins.all.some((plugin) => plugin.catchUp !== undefined);
  }

  /** For plugins: the classes that read a table, such as a summary and a detail; none before any was met. */
  entitiesOf(table: string): readonly EntityClass[] {
    return this.#core.registry.of(table);
  }

  /** For plugins: takes note of an order from elsewhere (disk, another tab); later ones will be greater. */
  witness(order: number): void {
    this.#core.clock.witness(order);
  }

  /** For plugins: the schema that a result was last written with, or is read by; undefined where nobody has said. */
  schemaOf(key: string): Schema | undefined {
    return this.#core.schemaOf(key);
  }
}

function isEndpoint(source: EndpointInterface | Schema): source is EndpointInterface {
  return typeof source === 'function' && 'testKey' in source;
}

function split(rest: readonly unknown[]): { readonly args: readonly unknown[]; readonly last: unknown } {
  return { args: rest.slice(0, -1), last: rest.at(-1) };
}
