import type { Schema } from '../schema/Schema.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { Aliases } from '../store/Aliases.ts';
import { EntityRegistry } from '../store/EntityRegistry.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH } from '../store/expiry.ts';
import { isUnanswered } from '../util/errorStatus.ts';
import { OrderClock } from '../store/OrderClock.ts';
import { RENAMES } from '../store/renames.ts';
import { Store } from '../store/Store.ts';
import type { Commit } from '../store/Commit.ts';
import type { ListChange } from '../store/lazyListRow.ts';
import { Views } from '../views/Views.ts';
import { checkCopies } from '../util/checkCopies.ts';
import { GarbageCollector } from './GarbageCollector.ts';
import { CommitNotifier } from './plugins/CommitNotifier.ts';
import { browserEnvironment, onReconnect, type Environment } from './Environment.ts';
import type { AbsentRows } from './plugins/AbsentRows.ts';
import type { PluginHost } from './plugins/PluginHost.ts';
import { Reads } from './reads/Reads.ts';
import type { Subscription } from './reads/Subscription.ts';
import { scheduleByTimer, type Schedule } from './schedule.ts';
import type { HydrationSource } from './requests/HydrationSource.ts';

/** Options that do not concern plugins. */
export interface BaseControllerOptions {
  /** The time in ms since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** How long data stays fresh if the endpoint does not say, in ms. Default: 60,000. */
  readonly dataExpiryLength?: number;
  /** How long an error is kept before a retry if the endpoint does not say, in ms. Default: 1,000. */
  readonly errorExpiryLength?: number;
  /** How long unmounted data stays in memory, in ms; `Infinity` for ever. Default: 300,000. */
  readonly gcTime?: number;
  /** Whether the device is online and the page is visible. Default: a plugin's, else `browserEnvironment()`. */
  readonly environment?: Environment;
  /** Runs a function after a delay in ms, and returns a function that cancels it. Default: `setTimeout`. */
  readonly schedule?: Schedule;
}

/** How many list changes are remembered. */
const MAX_LIST_CHANGES = 1_000;

/** The parts of a controller, shared by its methods. */
export class ControllerInternals {
  readonly now: () => number;
  readonly environment: Environment;
  readonly schedule: Schedule;
  readonly plugins: PluginHost;
  readonly clock: OrderClock;
  readonly registry = new EntityRegistry();
  readonly aliases = new Aliases();
  readonly reads: Reads;
  readonly store: Store;
  readonly views: Views;
  readonly notifier: CommitNotifier;
  /** The latest list changes, for lists that are being requested for the first time. */
  listChanges: readonly ListChange[] = [];
  /**
   * The tables that are restored as a whole for live queries, and of which no row was collected since; with a promise
   * as long as the restore is in progress.
   */
  readonly wholeTables = new Map<string, Promise<void> | undefined>();
  /** They follow the pks of their entities. */
  readonly subscriptions = new Set<Subscription>();
  /** The rows that readers lack, if a plugin can restore them. */
  absentRows: AbsentRows | undefined;
  /** The state that the server rendered from, while the page hydrates. */
  hydration: HydrationSource | undefined;
  readonly #options: BaseControllerOptions;
  /** Errors of requests before this order may be retried before they expire. */
  #retryOrder = 0;
  /** The same for failed connections: the network has come back since. */
  #reconnectOrder = 0;
  #ignoreReconnects: (() => void) | undefined;
  /** Of the aliases that `subscriptions` know. */
  #aliasVersion = 0;
  /** Increases with each reset: requests of an earlier epoch are discarded. */
  resetEpoch = 0;
  /** When the last known reset of any tab was, in ms since the epoch. */
  resetAt = 0;

  constructor(options: BaseControllerOptions, plugins: PluginHost) {
    if (process.env.NODE_ENV !== 'production') checkCopies();
    this.#options = options;
    this.plugins = plugins;
    this.now = options.now ?? (() => Date.now()); // read at each call: tests replace it
    this.environment = options.environment ?? plugins.environment ?? browserEnvironment();
    this.schedule = options.schedule ?? scheduleByTimer;
    this.reads = new Reads(this.schedule, new GarbageCollector(this, options.gcTime));
    this.clock = new OrderClock(this.now);
    this.notifier = new CommitNotifier(this.schedule, plugins);
    this.store = new Store({
      changed: (changes) => this.views.apply(changes, this.notifier.listeners),
      committed: (commit) => {
        if (commit.listChanges.length > 0)
          this.listChanges = [...this.listChanges, ...commit.listChanges].slice(-MAX_LIST_CHANGES);
        this.notifier.notify(commit);
        this.#followPks(commit);
      },
    });
    this.views = new Views(this.store, this.registry, {
      onAbsent: (table, pk) => {
        this.absentRows?.record(table, pk);
      },
      // Replayed layers normalize with the classes that are known now.
      normalize: (recipe, rows) =>
        this.notifier.notifyInMicrotask(() => {
          const replayed = [...this.store.footprints.writing(rows)].map(({ id }) => id);
          this.store.commit(recipe, { action: { type: 'apply' }, origin: 'app', replayed });
        }),
      aliases: this.aliases,
      clock: { now: this.now, gcTime: this.reads.collector.time },
    });
  }

  /** Has plugins subscribe to created and renamed entities by their current pks. */
  #followPks({ baseChanges }: Commit): void {
    const { version } = this.aliases;
    const isRenamed = baseChanges.rows.has(RENAMES);
    if (version === this.#aliasVersion && !isRenamed) return;
    this.#aliasVersion = version;
    for (const subscription of this.subscriptions)
      if (isRenamed || subscription.isTemporary) subscription.follow();
  }

  /** How long responses of an endpoint, or values set by the app, stay fresh, in ms. */
  dataExpiryLength(endpoint?: EndpointInterface): number {
    return endpoint?.dataExpiryLength ?? this.#options.dataExpiryLength ?? DATA_EXPIRY_LENGTH;
  }

  /** How long an error of an endpoint is kept before a retry, in ms. */
  errorExpiryLength(endpoint: EndpointInterface): number {
    return endpoint.errorExpiryLength ?? this.#options.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
  }

  /** Lets every stored error be retried at the next mount before it expires, since the user asked for it. */
  retryErrors(): void {
    this.#retryOrder = this.clock.tick();
  }

  /** A connection has failed: such errors may be retried after the next reconnect, or when the page becomes visible. */
  watchReconnects(): void {
    if (this.plugins.isStopped) return;
    this.#ignoreReconnects ??= onReconnect(this.environment, () => {
      this.#reconnectOrder = this.clock.tick();
      this.#ignoreReconnects?.();
      this.#ignoreReconnects = undefined;
    });
  }

  /** Whether a key has an error that may be retried before it expires. */
  isRetryable(key: string): boolean {
    const result = this.store.head.results.get(key);
    if (result?.error === undefined) return false;
    const { order } = result.meta;
    return order < this.#retryOrder || (order < this.#reconnectOrder && isUnanswered(result.error));
  }

  /**
   * Clears memory. Requests that started before are discarded.
   *
   * @param at - when another tab was reset, in ms since the epoch, if `origin` announces that
   * @returns when this tab, or the other one, was reset
   */
  reset(origin: string, at: number): number {
    // Two resets have different times, also within a millisecond.
    const resetAt = origin === 'app' ? Math.max(this.resetAt + 1, Math.ceil(this.now())) : at;
    this.resetAt = Math.max(this.resetAt, resetAt);
    this.resetEpoch += 1;
    this.reads.reset();
    this.aliases.clear();
    this.listChanges = [];
    this.wholeTables.clear();
    this.absentRows?.forget();
    this.hydration?.close();
    this.store.reset({ action: { type: 'reset' }, origin });
    this.views.clearReadCache();
    return resetAt;
  }

  /** Ends timers and pending waits. */
  stop(): void {
    this.#ignoreReconnects?.();
    this.reads.stop();
    this.hydration?.close();
    this.notifier.flushFrame();
  }

  /** The schema of a stored or mounted result; undefined if unknown. */
  schemaOf(key: string): Schema | undefined {
    return this.reads.get(key)?.schema ?? this.views.schemaOf(key);
  }
}
