import type { Schema } from '../schema/Schema.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { Aliases } from '../store/Aliases.ts';
import { EntityRegistry } from '../store/EntityRegistry.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH, isUnanswered } from '../store/expiry.ts';
import { normalizeStored } from '../store/normalizeStored.ts';
import { OrderClock } from '../store/OrderClock.ts';
import { Store } from '../store/Store.ts';
import type { KeepsInline } from '../store/writeEntity.ts';
import { Views } from '../views/Views.ts';
import { BackOnline } from './BackOnline.ts';
import { checkCopies } from './checkCopies.ts';
import { Collector } from './Collector.ts';
import { Delivery } from './Delivery.ts';
import { browserEnvironment, type Environment } from './Environment.ts';
import { InFlight } from './InFlight.ts';
import { Landings } from './Landings.ts';
import { Mounts } from './Mounts.ts';
import type { PluginHost } from './PluginHost.ts';
import { scheduleByTimer, type Schedule } from './schedule.ts';
import type { ServerReads } from './ServerReads.ts';

/** What a controller may be told. */
export interface CoreOptions {
  /** The time in ms since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** Freshness of data in ms where the endpoint does not say. Default: 60,000. */
  readonly dataExpiryLength?: number;
  /** How long an error is kept before a read may try again, in ms, where the endpoint does not say. Default: 1,000. */
  readonly errorExpiryLength?: number;
  /** How long a read that is no longer mounted is kept in memory, in ms; `Infinity` for ever. Default: 300,000. */
  readonly gcTime?: number;
  /** Whether there is a network and somebody to see the page. Default: a plugin's, else `browserEnvironment()`. */
  readonly environment?: Environment;
  /** Runs something after a delay in ms, and returns what cancels it. Default: `setTimeout`. */
  readonly schedule?: Schedule;
}

/** The parts that a controller is made of, shared by its verbs. */
export class Core {
  readonly now: () => number;
  readonly environment: Environment;
  readonly schedule: Schedule;
  readonly plugins: PluginHost;
  readonly clock: OrderClock;
  readonly backOnline: BackOnline;
  readonly inFlight = new InFlight();
  readonly registry = new EntityRegistry();
  readonly aliases = new Aliases();
  /** Data that become entities to a class known by now would count as new as their row. */
  readonly keepsInline: KeepsInline = (writer, table, pk) =>
    normalizeStored(writer, [[table, pk]], this.registry);
  readonly collector: Collector;
  readonly mounts: Mounts;
  readonly store: Store;
  readonly views: Views;
  /** Endpoint key → the schema its result was last written with; for results that are stored. */
  readonly schemas = new Map<string, Schema>();
  readonly landed: Landings;
  readonly delivery: Delivery;
  /** What the server rendered from, where the page hydrates. */
  serverReads: ServerReads | undefined;
  readonly #options: CoreOptions;
  /** Errors of requests older than this order may be tried again before they expire. */
  #retryOrder = 0;
  /** Rises with each reset: what began in an earlier epoch may not land. */
  epoch = 0;

  constructor(options: CoreOptions, plugins: PluginHost) {
    if (process.env.NODE_ENV !== 'production') checkCopies();
    this.#options = options;
    this.plugins = plugins;
    this.now = options.now ?? Date.now;
    this.environment = options.environment ?? plugins.environment ?? browserEnvironment();
    this.schedule = options.schedule ?? scheduleByTimer;
    this.landed = new Landings(this.schedule);
    this.collector = new Collector(this, options.gcTime);
    this.mounts = new Mounts(this.collector);
    this.clock = new OrderClock(this.now);
    this.backOnline = new BackOnline(this.environment, this.clock);
    this.delivery = new Delivery(this.schedule, (commit) => plugins.commit(commit));
    this.store = new Store({
      changed: (changes) => this.views.apply(changes, this.delivery.listeners),
      committed: (commit) => this.delivery.deliver(commit),
    });
    this.views = new Views(
      () => this.store.head,
      this.registry,
      undefined,
      this.aliases,
      // Layers normalize by what is known now when they are replayed.
      (recipe, rows) =>
        this.delivery.later(() => {
          const replayed = [...this.store.footprints.writing(rows)].map(({ id }) => id);
          this.store.commit(recipe, { action: { type: 'apply' }, origin: 'app', replayed });
        }),
    );
  }

  /** How long what an endpoint answers, or the app itself says, stays fresh, in ms. */
  dataLength(endpoint?: EndpointInterface): number {
    return endpoint?.dataExpiryLength ?? this.#options.dataExpiryLength ?? DATA_EXPIRY_LENGTH;
  }

  /** How long an error of an endpoint is kept before a read may try again, in ms. */
  errorLength(endpoint: EndpointInterface): number {
    return endpoint.errorExpiryLength ?? this.#options.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
  }

  /** Lets every stored error be tried again at its next mount, as if it had expired: the user has asked for it. */
  retryErrors(): void {
    this.#retryOrder = this.clock.tick();
  }

  /** Whether what a key has is an error that may be tried again before it expires. */
  isRetryable(key: string): boolean {
    const result = this.store.head.results.get(key);
    if (result?.error === undefined) return false;
    const { order } = result.meta;
    return order < this.#retryOrder || (isUnanswered(result.error) && this.backOnline.isPast(order));
  }

  /** Forgets all that is in memory. Nothing that began before may land after it. */
  reset(origin: string): void {
    this.epoch += 1;
    this.inFlight.clear();
    this.schemas.clear();
    this.aliases.clear();
    this.#clear();
    this.store.reset({ action: { type: 'reset' }, origin });
    this.views.releaseRecent();
  }

  /** Ends what waits for something to happen. */
  stop(): void {
    this.backOnline.stop();
    this.#clear();
    this.delivery.tellGathered();
  }

  /** The schema that a result was last written with, or is read by; undefined where nobody has said. */
  schemaOf(key: string): Schema | undefined {
    return this.schemas.get(key) ?? this.views.schemaOf(key);
  }

  #clear(): void {
    this.landed.clear();
    this.collector.clear();
    this.serverReads?.close();
  }
}
