import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { isolated } from '../util/isolated.ts';
import { warnOnce } from '../util/warnOnce.ts';
import type { Core } from './Core.ts';
import type { Fetcher } from './Fetcher.ts';
import type { Read } from './Plugin.ts';
import { Poll } from './Poll.ts';

/** A read that somebody wants to be kept up to date. */
interface Subscription {
  /** Whose key it is, one for each time that somebody has subscribed. */
  readonly endpoints: EndpointInterface[];
  /** Ends what a plugin does for it. */
  readonly unplug: (() => void) | undefined;
  poll?: Poll | undefined;
}

/** Keeps reads up to date for as long as somebody subscribes to them: by a plugin, or by polling. */
export class Subscriptions {
  readonly #core: Core;
  readonly #fetcher: Fetcher;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(core: Core, fetcher: Fetcher) {
    this.#core = core;
    this.#fetcher = fetcher;
  }

  add(read: Read): void {
    const { plugins } = this.#core;
    if (plugins.isStopped) return;
    const { endpoint, key } = read;
    const subscription = this.#subscriptions.get(key) ?? { endpoints: [], unplug: plugins.subscribe(read) };
    this.#subscriptions.set(key, subscription);
    subscription.endpoints.push(endpoint);
    this.#poll(subscription, read);
    // A frequency of 0 says on purpose that it is not polled.
    if (
      process.env.NODE_ENV !== 'production' &&
      subscription.unplug === undefined &&
      endpoint.pollFrequency === undefined
    )
      warnOnce(
        this.#core,
        'HF_SUBSCRIPTION',
        `${endpoint.name} is subscribed to, but nothing brings news of it: it has no \`pollFrequency\`, and no plugin takes its subscription; set one, or read it without useLive() or useSubscription()`,
        endpoint.name,
      );
  }

  remove(read: Read): void {
    const subscription = this.#subscriptions.get(read.key);
    if (subscription === undefined) return;
    const { endpoints } = subscription;
    // An endpoint made anew at each render is another object with the same key.
    endpoints.splice(Math.max(0, endpoints.indexOf(read.endpoint)), 1);
    if (endpoints.length > 0) {
      this.#poll(subscription, read);
    } else {
      this.#subscriptions.delete(read.key);
      end(subscription);
    }
  }

  /** Ends all of them. */
  stop(): void {
    for (const subscription of this.#subscriptions.values()) end(subscription);
    this.#subscriptions.clear();
  }

  /** Polls as often as the one who wants it most often, unless a plugin does better. */
  #poll(subscription: Subscription, { args }: Read): void {
    const { endpoints, unplug } = subscription;
    if (unplug !== undefined) return;
    const frequency = Math.min(...endpoints.map(frequencyOf));
    if (frequency === Infinity) {
      subscription.poll?.stop();
      subscription.poll = undefined;
    } else if (subscription.poll === undefined) {
      subscription.poll = new Poll(this.#core, frequency, async () => {
        const [endpoint] = endpoints;
        if (endpoint !== undefined) await this.#fetcher.fetch(endpoint, args);
      });
    } else {
      subscription.poll.frequency = frequency;
    }
  }
}

/** In ms; `Infinity` for one that is not to be polled. */
function frequencyOf({ pollFrequency = 0, sideEffect }: EndpointInterface): number {
  return pollFrequency > 0 && sideEffect !== true ? pollFrequency : Infinity;
}

function end({ unplug, poll }: Subscription): void {
  poll?.stop();
  if (unplug !== undefined) isolated(unplug);
}
