import type { Plugin } from '../controller/Controller.ts';
import { browserEnvironment, type Environment } from '../controller/Environment.ts';
import type { PluginRequest, PluginStatus } from '../controller/Plugin.ts';
import { backoff, type Waits } from './backoff.ts';
import { Reach, type Reachability } from './Reach.ts';

/** How `reachability` finds out. */
export interface ReachabilityOptions {
  /** Asked whether the server is there; any answer says so. Default: the URL of the request that failed. */
  readonly url?: string;
  /** Whether a request tells about the server, for apps that ask others too. Default: all do. */
  readonly when?: (request: PluginRequest) => boolean;
  /**
   * How long to wait before asking for the time of this number, from 1, since a request was last answered, in ms.
   * Default: two seconds, doubled each time up to half a minute, of which up to a half is left out at random.
   */
  readonly delay?: (attempt: number) => number;
  /** A number from 0 to 1, for the default delay. Default: `Math.random`. */
  readonly random?: () => number;
  /** What the device itself knows. Default: `browserEnvironment()`. */
  readonly environment?: Environment;
}

/** The plugin that `reachability` makes. */
export interface ReachabilityPlugin extends Plugin {
  /** The controller's: online unless the device is not, or the server cannot be reached. */
  readonly environment: Environment;
  readonly status: PluginStatus<Reachability>;
  /** Asks the server at once, as for a button `Try now`; resolves with whether it is there. */
  readonly probe: () => Promise<boolean>;
}

const WAITS: Waits = { first: 2_000, longest: 30_000 };

/**
 * Learns from requests whether the server can be reached: no connection means offline, whatever the browser says of its
 * network, and any answer means online. While it cannot be reached, it is asked again and again until it answers. The
 * controller's `environment` follows, and with it all that goes by that: `useOnline`, boundaries, polling, `refetchOn`,
 * `retry` and the outbox. Give it after plugins that answer by themselves, so that it sees what is really sent.
 *
 * @example
 * const endpoints = [ArticleResource];
 * const controller = new Controller({
 *   plugins: [indexedDB({ name: 'app' }), outbox({ endpoints }), reachability()],
 * });
 */
export function reachability({
  url,
  when = () => true,
  random = Math.random,
  delay = (attempt) => backoff(attempt, WAITS, random()),
  environment: device = browserEnvironment(),
}: ReachabilityOptions = {}): ReachabilityPlugin {
  const reach = new Reach({ url, delay, device });
  let isTaken = false;
  return {
    name: 'reachability',
    environment: reach,
    get isTaken() {
      return isTaken;
    },
    status: { get: () => reach.state, subscribe: (listener) => reach.subscribe(listener) },
    probe: () => reach.probe(),
    start(controller) {
      isTaken = true;
      reach.start((run, wait) => controller.schedule(run, wait));
    },
    async request(request, next) {
      if (!when(request)) return next(request);
      const since = reach.answers;
      let response: unknown;
      try {
        response = await next(request);
      } catch (error) {
        await reach.failed(request.endpoint, error, since);
        throw error;
      }
      reach.answered(request.endpoint.name);
      return response;
    },
    stop() {
      reach.stop();
    },
  };
}
