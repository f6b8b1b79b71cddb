import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { namesTemporaryPk } from '../../store/temporaryPks.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import type { Environment } from '../Environment.ts';
import type { PluginHost } from '../plugins/PluginHost.ts';
import type { Schedule } from '../schedule.ts';

/** What a subscription needs of its controller. */
export interface SubscriptionDeps {
  readonly plugins: PluginHost;
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly environment: Environment;
  /** All of the controller. */
  readonly subscriptions: Set<Subscription>;
}

/**
 * Keeps a read up to date while it has subscribers: by a plugin, or by polling. A poll starts `pollFrequency` ms
 * after the start of the one before, unless that is still pending. It pauses while the page is hidden or offline, and
 * an overdue poll starts as soon as that ends.
 */
export class Subscription {
  readonly #deps: SubscriptionDeps;
  readonly #endpoint: EndpointInterface;
  readonly #currentArgs: () => readonly unknown[];
  readonly #fetch: (endpoint: EndpointInterface) => Promise<unknown>;
  /** One for each subscriber. */
  readonly #endpoints: EndpointInterface[] = [];
  /** Of the read as plugins know it: with the current pk of its entity. */
  #key: string | undefined;
  /** Whether its entity has a temporary pk. */
  isTemporary = false;
  /** Ends what a plugin does for it. */
  #unplug: (() => void) | undefined;
  /** In ms; `Infinity` while it is not polled. */
  #frequency = Infinity;
  #polledAt = 0;
  #isPolling = false;
  #cancel: (() => void) | undefined;
  #ignoreEnvironment: (() => void) | undefined;

  /** @param currentArgs - with the current pks of created and renamed entities */
  constructor(
    deps: SubscriptionDeps,
    endpoint: EndpointInterface,
    currentArgs: () => readonly unknown[],
    fetch: (endpoint: EndpointInterface) => Promise<unknown>,
  ) {
    this.#deps = deps;
    this.#endpoint = endpoint;
    this.#currentArgs = currentArgs;
    this.#fetch = fetch;
    deps.subscriptions.add(this);
  }

  /** Offers it to plugins, and again once its entity has another pk. They do not receive temporary pks. */
  follow(): void {
    const { plugins } = this.#deps;
    const endpoint = this.#endpoint;
    const args = this.#currentArgs();
    const key = endpoint.key(...args);
    if (key === this.#key) return;
    this.#key = key;
    if (this.#unplug !== undefined) runIsolated(this.#unplug);
    this.isTemporary = namesTemporaryPk(args);
    this.#unplug = this.isTemporary ? undefined : plugins.subscribe({ endpoint, args, key });
    this.#adjust();
  }

  /** Adds a subscriber. */
  add(endpoint: EndpointInterface): void {
    this.#endpoints.push(endpoint);
    // A plugin that subscribes to the same read finds that it has a subscriber already.
    if (this.#key === undefined) this.follow();
    else this.#adjust();
    // A frequency of 0 says on purpose that it is not polled.
    if (
      process.env.NODE_ENV !== 'production' &&
      this.#unplug === undefined &&
      endpoint.pollFrequency === undefined &&
      !this.isTemporary
    )
      warnOnce(
        this.#deps,
        'HF_SUBSCRIPTION',
        `${endpoint.name} has a subscription, but receives no updates: it has no \`pollFrequency\`, and no plugin handles its subscription; set one, or read it without useLive() or useSubscription()`,
        endpoint.name,
      );
  }

  /**
   * Removes a subscriber.
   *
   * @returns whether it was the last one, with which the subscription has ended
   */
  remove(endpoint: EndpointInterface): boolean {
    const endpoints = this.#endpoints;
    const same = endpoints.indexOf(endpoint);
    // An endpoint that is created again is another object with the same key and interval.
    const similar = endpoints.findIndex((other) => frequencyOf(other) === frequencyOf(endpoint));
    endpoints.splice(same < 0 ? Math.max(0, similar) : same, 1);
    if (endpoints.length === 0) this.stop();
    else this.#adjust();
    return endpoints.length === 0;
  }

  stop(): void {
    this.#endpoints.length = 0;
    this.#adjust();
    this.#deps.subscriptions.delete(this);
    if (this.#unplug !== undefined) runIsolated(this.#unplug);
  }

  /** Polls at the shortest interval of all subscribers, unless a plugin handles the subscription. */
  #adjust(): void {
    const { now, environment } = this.#deps;
    const frequency = this.#unplug === undefined ? Math.min(...this.#endpoints.map(frequencyOf)) : Infinity;
    if (frequency === this.#frequency) return;
    if (frequency === Infinity) {
      this.#ignoreEnvironment?.();
    } else if (this.#frequency === Infinity) {
      this.#polledAt = now();
      this.#ignoreEnvironment = environment.subscribe(() => this.#scheduleNext());
    }
    this.#frequency = frequency;
    this.#scheduleNext();
  }

  /** Polls if it is time, else sets the timer for that. */
  #scheduleNext(): void {
    const { now, schedule, environment } = this.#deps;
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#frequency === Infinity || this.#isPolling) return;
    if (!environment.isOnline || !environment.isVisible) return;
    // A clock that was set back must not put it off for longer than once.
    this.#polledAt = Math.min(this.#polledAt, now());
    const wait = this.#polledAt + this.#frequency - now();
    if (wait > 0) this.#cancel = schedule(() => this.#scheduleNext(), wait);
    else this.#poll();
  }

  #poll(): void {
    const [endpoint] = this.#endpoints;
    if (endpoint === undefined) return;
    this.#isPolling = true;
    this.#polledAt = this.#deps.now();
    const done = (): void => {
      this.#isPolling = false;
      this.#scheduleNext();
    };
    // What failed is kept for the observers, and the next poll may go better.
    this.#fetch(endpoint).then(done, done);
  }
}

/** In ms; `Infinity` for one that is not to be polled. */
function frequencyOf({ pollFrequency = 0, sideEffect }: EndpointInterface): number {
  return pollFrequency > 0 && sideEffect !== true ? pollFrequency : Infinity;
}
