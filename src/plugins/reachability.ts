import type { Plugin } from '../controller/Controller.ts';
import { browserEnvironment, type Environment } from '../controller/Environment.ts';
import type { PluginRequest, PluginStatus } from '../controller/plugins/Plugin.ts';
import { backoff, type BackoffOptions } from './backoff.ts';
import { ServerReachability, type Reachability } from './ServerReachability.ts';

/** Options of `reachability`. */
export interface ReachabilityOptions {
  /**
   * URL that is requested to find out whether the server answers; any response counts. Default: the URL of the failed
   * request.
   */
  readonly url?: string;
  /** Whether a request goes to the server in question, for apps that use several. Default: all do. */
  readonly when?: (request: PluginRequest) => boolean;
  /**
   * The delay before the nth of these requests, counting from 1 since the last response, in ms. Default: a second and
   * a half while the page is visible; otherwise two seconds, doubled each time up to half a minute. Both less a random
   * part of up to a half.
   */
  readonly delay?: (attempt: number) => number;
  /** A number from 0 to 1, for the default delay. Default: `Math.random`. */
  readonly random?: () => number;
  /** The environment of the device itself. Default: `browserEnvironment()`. */
  readonly environment?: Environment;
}

/** The plugin that `reachability` returns. */
export interface ReachabilityPlugin extends Plugin {
  /** The controller's environment: online unless the device is offline or the server cannot be reached. */
  readonly environment: Environment;
  readonly status: PluginStatus<Reachability>;
  /** Requests the server now, for a button `Try now`; resolves with whether it is reachable. */
  readonly probe: () => Promise<boolean>;
}

/** While the page is visible, a person waits for it. */
const VISIBLE: BackoffOptions = { first: 1_500, longest: 1_500 };

const BACKOFF: BackoffOptions = { first: 2_000, longest: 30_000 };

/**
 * Detects from requests whether the server can be reached: a failed connection means offline, whatever the browser
 * reports, and any response means online. While offline, it requests the server repeatedly until it answers. The
 * controller's `environment` follows this state, and so do `useOnline`, boundaries, polling, `refetchOn`, `retry` and
 * the outbox. List it after plugins that answer requests themselves, so that it sees only requests that are sent.
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
  delay: ownDelay,
  environment: device = browserEnvironment(),
}: ReachabilityOptions = {}): ReachabilityPlugin {
  const delay = (attempt: number, isWaitedFor: boolean): number =>
    ownDelay?.(attempt) ?? backoff(attempt, isWaitedFor ? VISIBLE : BACKOFF, random());
  const reach = new ServerReachability({ url, delay, device });
  let isAttached = false;
  return {
    name: 'reachability',
    environment: reach,
    get isAttached() {
      return isAttached;
    },
    status: { get: () => reach.state, subscribe: (listener) => reach.subscribe(listener) },
    probe: () => reach.probe(),
    start(controller) {
      isAttached = true;
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
