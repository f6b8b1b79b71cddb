import type { Schema } from '../schema/Schema.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Commit } from '../store/Commit.ts';
import { Aliases } from '../store/Aliases.ts';
import { EntityRegistry } from '../store/EntityRegistry.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH } from '../store/expiry.ts';
import { OrderClock } from '../store/OrderClock.ts';
import { Store } from '../store/Store.ts';
import { isolated } from '../util/isolated.ts';
import type { Listener } from '../views/Node.ts';
import { Views } from '../views/Views.ts';
import { BackOnline } from './BackOnline.ts';
import { checkCopies } from './checkCopies.ts';
import { Collector } from './Collector.ts';
import { browserEnvironment, type Environment } from './Environment.ts';
import { FrameListeners } from './FrameListeners.ts';
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

interface Undelivered {
  readonly commit: Commit;
  readonly listeners: Set<Listener>;
  /** Whether the listeners are told with the next frame. */
  readonly isGathered: boolean;
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
  readonly collector: Collector;
  readonly mounts: Mounts;
  readonly store: Store;
  readonly views: Views;
  /** Endpoint key → the schema its result was last written with. */
  readonly schemas = new Map<string, Schema>();
  readonly landed: Landings;
  /** Those to tell when the present commit is complete. */
  #waiting = new Set<Listener>();
  /** Commits that have not been told to everybody; the first is being told. */
  readonly #undelivered: Undelivered[] = [];
  /** Those of commits that are told with the next frame. */
  readonly #frameListeners: FrameListeners;
  #isGathering = false;
  /** Those that wait for a pending mutation to be shown no longer. */
  readonly #settling: (() => void)[] = [];
  /** What the server rendered from, where the page hydrates. */
  serverReads: ServerReads | undefined;
  readonly #options: CoreOptions;
  /** Rises with each reset: what began in an earlier epoch may not land. */
  epoch = 0;

  constructor(options: CoreOptions, plugins: PluginHost) {
    if (process.env.NODE_ENV !== 'production') checkCopies();
    this.#options = options;
    this.plugins = plugins;
    this.now = options.now ?? Date.now;
    this.environment = options.environment ?? plugins.environment ?? browserEnvironment();
    this.schedule = options.schedule ?? scheduleByTimer;
    this.#frameListeners = new FrameListeners(this.schedule);
    this.landed = new Landings(this.now, this.schedule);
    this.collector = new Collector(this, options.gcTime);
    this.mounts = new Mounts(this.collector);
    this.clock = new OrderClock(this.now);
    this.backOnline = new BackOnline(this.environment, this.clock);
    this.store = new Store({
      changed: (changes) => this.views.apply(changes, this.#waiting),
      committed: (commit) => this.#committed(commit),
    });
    this.views = new Views(() => this.store.head, this.registry, undefined, this.aliases);
  }

  /** How long what an endpoint answers, or the app itself says, stays fresh, in ms. */
  dataLength(endpoint?: EndpointInterface): number {
    return endpoint?.dataExpiryLength ?? this.#options.dataExpiryLength ?? DATA_EXPIRY_LENGTH;
  }

  /** How long an error of an endpoint is kept before a read may try again, in ms. */
  errorLength(endpoint: EndpointInterface): number {
    return endpoint.errorExpiryLength ?? this.#options.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
  }

  /** Resolves with the next commit that takes the layer of a pending mutation away. */
  settling(): Promise<void> {
    return new Promise((resolve) => this.#settling.push(resolve));
  }

  /** Has readers told with the next frame, or with what is told before it, of the commits that `run` makes. */
  gather<T>(run: () => T): T {
    const outer = this.#isGathering;
    this.#isGathering = true;
    try {
      return run();
    } finally {
      this.#isGathering = outer;
    }
  }

  /** Tells readers what they would have been told with the next frame. */
  tellGathered(): void {
    this.#frameListeners.tell();
  }

  /** Tells plugins and readers, one commit after the other: what they write while being told comes after. */
  #committed(commit: Commit): void {
    this.#undelivered.push({ commit, listeners: this.#waiting, isGathered: this.#isGathering });
    this.#waiting = new Set();
    if (this.#undelivered.length > 1) return;
    for (let next = this.#undelivered[0]; next !== undefined; next = this.#undelivered[0]) {
      this.#forgetSchemas(next.commit);
      this.plugins.commit(next.commit);
      this.#tell(next);
      if (next.commit.settled.length > 0) for (const go of this.#settling.splice(0)) go();
      this.#undelivered.shift();
    }
  }

  #tell({ listeners, isGathered }: Undelivered): void {
    if (isGathered) {
      this.#frameListeners.add(listeners);
      return;
    }
    // Who is told of something new has been told of what came before.
    this.#frameListeners.tell();
    for (const listener of listeners) isolated(listener);
  }

  #forgetSchemas({ base, baseChanges }: Commit): void {
    // As long as every schema may have its result, none has been deleted that is known here.
    if (this.schemas.size <= base.results.size) return;
    for (const key of baseChanges.results.keys()) {
      if (base.results.get(key) === undefined) this.schemas.delete(key);
    }
  }
}
