import type { Environment } from '../controller/Environment.ts';
import { isHtmlType, mediaType } from '../endpoint/http/contentType.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { isOtherOrigin, isPortal, isSentElsewhere, originOf } from '../endpoint/http/origins.ts';
import type { Schedule } from '../controller/schedule.ts';
import { errorStatus, isUnanswered } from '../util/errorStatus.ts';
import { runIsolated } from '../util/runIsolated.ts';

/** Whether the server can be reached: `unknown` until a request has shown it. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable';

/** The dependencies of a `ServerReachability`. */
interface ServerReachabilityDeps {
  /** The environment of the device itself. */
  readonly device: Environment;
  /** URL that is requested to find out whether the server answers; undefined for the URL of the failed request. */
  readonly url: string | undefined;
  /**
   * The delay before the nth such request since the last response, in ms.
   *
   * @param isWaitedFor - whether the page is visible to a person, and no such request has been misleading
   */
  readonly delay: (attempt: number, isWaitedFor: boolean) => number;
}

/** After this many failures while the server was reachable, failures of an endpoint no longer count. */
const MAX_CONTRADICTIONS = 2;

/** What a tab has found out about a server. */
interface Finding {
  readonly origin: string | undefined;
  readonly isThere: boolean;
}

/** Through which tabs notify each other of what they found out. */
const CHANNEL = 'holdfast-reachability';

/** How long to wait for a response, in ms. */
const PROBE_TIMEOUT = 10_000;

/**
 * An environment of the device and its server: online while the server can be reached. After a failure it requests
 * the server until it answers.
 */
export class ServerReachability implements Environment {
  readonly #deps: ServerReachabilityDeps;
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  #state: Reachability;
  #wasOnline: boolean;
  #failedUrl: string | undefined;
  /** Name of the endpoint whose request failed there. */
  #failedName: string | undefined;
  /**
   * How often requests of each endpoint failed while the server was reachable: browsers also fail requests that
   * another origin does not allow (https://fetch.spec.whatwg.org/#http-cors-protocol).
   */
  readonly #contradictions = new Map<string, number>();
  #answers = 0;
  #attempts = 0;
  /** How often a probe has found the server since the last response: its requests fail all the same. */
  #misleading = 0;
  #probing: Promise<boolean> | undefined;
  #schedule: Schedule | undefined;
  #channel: BroadcastChannel | undefined;
  #cancel: () => void = () => undefined;
  #stopListening: () => void = () => undefined;

  constructor(deps: ServerReachabilityDeps) {
    this.#deps = deps;
    this.#wasOnline = deps.device.isOnline;
    this.#state = this.#wasOnline ? 'unknown' : 'unreachable';
  }

  get isOnline(): boolean {
    // A response is better evidence than the device's own network state.
    return this.#state === 'unknown' ? this.#deps.device.isOnline : this.#state === 'reachable';
  }

  get isVisible(): boolean {
    return this.#deps.device.isVisible;
  }

  get state(): Reachability {
    return this.#state;
  }

  /**
   * Number of responses so far: a request that started before the last response and then fails says nothing about the
   * present.
   */
  get answers(): number {
    return this.#answers;
  }

  subscribe(listener: () => void): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  start(schedule: Schedule): void {
    this.#schedule = schedule;
    this.#stopListening = this.#deps.device.subscribe(() => this.#onDeviceChange());
    this.#updateChannel();
  }

  stop(): void {
    this.#schedule = undefined;
    this.#cancel();
    this.#stopListening();
    this.#updateChannel();
  }

  /**
   * Call after each response.
   *
   * @param name - of its endpoint
   */
  answered(name: string): void {
    this.#attempts = this.#misleading = 0;
    this.#markReachable();
    this.#contradictions.delete(name);
  }

  /**
   * Call after each failed request. Failures of mutations, and of endpoints that failed before while the server was
   * reachable, are not evidence on their own: browsers also fail requests that the server does not allow, for example
   * because of a header.
   *
   * @param since - the number of responses when the request started
   * @returns settles once it is known whether the server is reachable, if that is tested at once
   */
  failed(
    { name, sideEffect = false }: EndpointInterface,
    error: unknown,
    since: number,
  ): Promise<boolean> | undefined {
    const status = errorStatus(error);
    const { url, response } = Object(error) as Partial<Record<string, unknown>>; // read by name
    const isPage = response !== undefined && isUnanswered(error);
    if (status !== undefined && status !== 0 && !isPage) {
      this.answered(name);
      return undefined;
    }
    // Rejected on this side of the network, as by the outbox.
    if (url === '') return undefined;
    if (status === 0 || isPage) {
      if (typeof url === 'string') {
        this.#failedUrl = url;
        this.#failedName = name;
      }
      const isUnreliable = (this.#contradictions.get(name) ?? 0) >= MAX_CONTRADICTIONS;
      // Its URL may be wrong: requesting it again would show nothing new.
      if (isPage && isUnreliable) return undefined;
      if (since < this.#answers) void this.probe();
      else if (this.#state !== 'unreachable' && (sideEffect || isUnreliable)) return this.probe();
      // Many requests fail together; the first one schedules the next test.
      else if (this.#state !== 'unreachable') this.#markUnreachable();
    } else if (error instanceof TypeError && this.#url !== undefined) {
      // `fetch` itself throws this where there is no connection, but so do programming errors.
      void this.probe();
    }
    return undefined;
  }

  /** Requests the server; resolves with whether it is reachable. */
  probe(): Promise<boolean> {
    this.#probing ??= this.#request().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  get #url(): string | undefined {
    return this.#deps.url ?? this.#failedUrl;
  }

  /** Of the server. */
  get #origin(): string | undefined {
    return this.#url === undefined ? undefined : originOf(this.#url);
  }

  async #request(): Promise<boolean> {
    const url = this.#url;
    if (url === undefined) {
      // There is no URL to request: queued requests may be sent, and will show it.
      this.#setState('unknown');
      return this.isOnline;
    }
    const since = this.#answers;
    const isThere = await isServerReachable(url, this.#deps.url === undefined);
    if (isThere) {
      this.#misleading += 1;
      this.#markReachable();
    } else if (since === this.#answers) this.#markUnreachable();
    return isThere;
  }

  #markReachable(): void {
    const name = this.#failedName;
    this.#failedName = undefined;
    if (name !== undefined) this.#contradictions.set(name, (this.#contradictions.get(name) ?? 0) + 1);
    this.#answers += 1;
    this.#cancel();
    if (this.#state === 'unreachable') this.#notifyTabs(true);
    this.#setState('reachable');
  }

  #markUnreachable(): void {
    this.#attempts += 1;
    this.#scheduleProbe();
    this.#notifyTabs(false);
    this.#setState('unreachable');
  }

  #scheduleProbe(): void {
    const { device, delay } = this.#deps;
    this.#cancel();
    const isWaitedFor = device.isVisible && this.#misleading === 0;
    // Without a network, the test waits until there is one.
    if (device.isOnline)
      this.#cancel =
        this.#schedule?.(() => void this.probe(), delay(this.#attempts, isWaitedFor)) ?? this.#cancel;
  }

  #notifyTabs(isThere: boolean): void {
    this.#channel?.postMessage({ origin: this.#origin, isThere } satisfies Finding);
  }

  /** Open only while it is needed: a page with an open channel may be kept out of the back/forward cache. */
  #updateChannel(): void {
    if (this.#state === 'unreachable' && this.#schedule !== undefined) {
      this.#channel ??= openChannel((finding) => this.#onFinding(finding));
    } else {
      this.#channel?.close();
      this.#channel = undefined;
    }
  }

  #onFinding({ origin, isThere }: Finding): void {
    if (origin === undefined || origin !== this.#origin || this.#state !== 'unreachable') return;
    if (isThere) void this.probe();
    // Another tab has just probed for all of them.
    else if (this.#probing === undefined) this.#scheduleProbe();
  }

  /** The device has gone online or offline. */
  #onDeviceChange(): void {
    const { isOnline, isVisible } = this.#deps.device;
    const wasOnline = this.#wasOnline;
    this.#wasOnline = isOnline;
    if (wasOnline && !isOnline) {
      this.#cancel();
      this.#state = 'unreachable';
      this.#updateChannel();
    } else if (isOnline && (!wasOnline || (isVisible && this.#state === 'unreachable'))) void this.probe();
    this.#notify();
  }

  #setState(state: Reachability): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#updateChannel();
    this.#notify();
  }

  #notify(): void {
    // A request reports its response or failure here, and settles as it would without listeners.
    for (const { listener } of [...this.#listeners]) runIsolated(listener);
  }
}

/** Undefined where tabs cannot talk to each other. */
function openChannel(onFinding: (finding: Finding) => void): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<Finding>) => onFinding(data);
    // In Node, it would keep the process running.
    (channel as { unref?: () => void }).unref?.();
    return channel;
  } catch {
    // It is missing, or Firefox refuses it without storage access (https://github.com/trezor/connect/pull/737).
    return undefined;
  }
}

/**
 * Whether the server answers. Any response counts, even one that another origin does not let the page read. A web
 * page in place of data, or a response from another origin, comes from a captive portal or a proxy. Probes of the page's
 * own origin are sent with its cookies: without them, the server may redirect to a login page.
 *
 * @param isData - whether the request was for data of the API
 */
async function isServerReachable(url: string, isData: boolean): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      mode: 'no-cors',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
    });
    if (isPortal(response)) return false;
    // A page can read all responses of its own origin, except those redirected to another one.
    if (response.type === 'opaque') return isOtherOrigin(url);
    // Frameworks answer a `HEAD` request that a route does not support with a page of their own, and redirect one
    // without the app's token to their login page.
    const isPage = isData && response.ok && !response.redirected;
    return !(isHtmlType(mediaType(response)) && (isPage || isSentElsewhere(url, response)));
  } catch {
    return false;
  }
}
