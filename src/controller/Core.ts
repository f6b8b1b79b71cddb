import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Schema } from '../schema/Schema.ts';
import type { Commit } from '../store/Commit.ts';
import { EntityRegistry } from '../store/EntityRegistry.ts';
import { OrderClock } from '../store/OrderClock.ts';
import { Store } from '../store/Store.ts';
import { isolated } from '../util/isolated.ts';
import type { Listener } from '../views/Node.ts';
import { Views } from '../views/Views.ts';
import { InFlight } from './InFlight.ts';
import type { PluginHost } from './PluginHost.ts';

/** What a controller may be told. */
export interface CoreOptions {
  /** The time in ms since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** Freshness of data in ms where the endpoint does not say. Default: 60,000. */
  readonly dataExpiryLength?: number;
  /** How long an error is kept before a read may try again, in ms, where the endpoint does not say. Default: 1,000. */
  readonly errorExpiryLength?: number;
}

/** The parts that a controller is made of, shared by its verbs. */
export class Core {
  readonly now: () => number;
  readonly options: CoreOptions;
  readonly plugins: PluginHost;
  readonly clock: OrderClock;
  readonly inFlight = new InFlight();
  readonly registry = new EntityRegistry();
  readonly store: Store;
  readonly views: Views;
  /** Endpoint key → the schema its result was last read or written with. */
  readonly schemas = new Map<string, Schema>();
  /** Those to tell when the present commit is complete. */
  #waiting = new Set<Listener>();
  /** Rises with each reset: what began in an earlier epoch may not land. */
  epoch = 0;

  constructor(options: CoreOptions, plugins: PluginHost) {
    this.options = options;
    this.plugins = plugins;
    this.now = options.now ?? Date.now;
    this.clock = new OrderClock(this.now);
    this.store = new Store({
      changed: (changes) => this.views.apply(changes, this.#waiting),
      committed: (commit) => this.#committed(commit),
    });
    this.views = new Views(() => this.store.head, this.registry);
  }

  #committed(commit: Commit): void {
    const listeners = this.#waiting;
    // Whoever writes while being told makes a commit of its own.
    this.#waiting = new Set();
    this.plugins.commit(commit);
    for (const listener of listeners) isolated(listener);
  }

  /** Notes what a key is read with, and gives it back. */
  schemaFor(endpoint: EndpointInterface, key: string): Schema {
    const schema = endpoint.schema;
    if (schema !== undefined) this.schemas.set(key, schema);
    return schema;
  }
}
