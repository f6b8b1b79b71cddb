import type { Environment } from '../controller/Environment.ts';
import { isHtmlType, mediaType } from '../endpoint/contentType.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { isOtherOrigin, isPortal, isSentElsewhere } from '../endpoint/origins.ts';
import type { Schedule } from '../controller/schedule.ts';
import { errorStatus } from '../store/expiry.ts';

/** Whether the server can be reached: `unknown` until a request has told. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable';

/** What a `Reach` works with. */
export interface ReachParts {
  /** What the device itself knows. */
  readonly device: Environment;
  /** Asked whether the server is there; undefined for the URL of the request that failed. */
  readonly url: string | undefined;
  /** How long to wait before asking for the time of this number since a request was last answered, in ms. */
  readonly delay: (attempt: number) => number;
}

/** After how many failures of its requests, while the server was there, an endpoint says nothing of the server. */
const DOUBTED = 2;

/** For how long an answer is waited for, in ms. */
const PATIENCE = 10_000;

/** The device with its server: online as long as it can be reached. Asks it again once it could not. */
export class Reach implements Environment {
  readonly #parts: ReachParts;
  readonly #listeners = new Set<{ readonly listener: () => void }>();
  #state: Reachability;
  #wasOnline: boolean;
  #failedUrl: string | undefined;
  /** Name of the endpoint whose request failed there. */
  #failedName: string | undefined;
  /** By endpoint, how often its requests failed and the server was there: a browser fails what another origin does not allow. */
  readonly #contradictions = new Map<string, number>();
  #answers = 0;
  #attempts = 0;
  #probing: Promise<boolean> | undefined;
  #schedule: Schedule | undefined;
  #cancel: () => void = () => undefined;
  #stopListening: () => void = () => undefined;

  constructor(parts: ReachParts) {
    this.#parts = parts;
    this.#wasOnline = parts.device.isOnline;
    this.#state = this.#wasOnline ? 'unknown' : 'unreachable';
  }

  get isOnline(): boolean {
    // An answer proves more than what the device thinks of its network.
    return this.#state === 'unknown' ? this.#parts.device.isOnline : this.#state === 'reachable';
  }

  get isVisible(): boolean {
    return this.#parts.device.isVisible;
  }

  get state(): Reachability {
    return this.#state;
  }

  /** How many answers have come: what began before the last of them and then fails tells nothing of now. */
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
    this.#stopListening = this.#parts.device.subscribe(() => this.#moved());
  }

  stop(): void {
    this.#schedule = undefined;
    this.#cancel();
    this.#stopListening();
  }

  /**
   * A request has been answered.
   *
   * @param name - of its endpoint
   */
  answered(name: string): void {
    this.#attempts = 0;
    this.#found();
    this.#contradictions.delete(name);
  }

  /**
   * A request has failed. That of a mutation, or of an endpoint whose requests have failed before while the server was
   * there, says nothing by itself: a browser also fails requests that the server does not allow, such as for a header.
   *
   * @param since - the number of answers when it began
   * @returns settles once it is known what that means, where that is found out at once
   */
  failed(
    { name, sideEffect = false }: EndpointInterface,
    error: unknown,
    since: number,
  ): Promise<boolean> | undefined {
    const status = errorStatus(error);
    const { url, response, isFromApi } = Object(error) as Partial<Record<string, unknown>>; // read by name
    const isPage = isFromApi === false && response !== undefined;
    if (status !== undefined && status !== 0 && !isPage) {
      this.answered(name);
      return undefined;
    }
    // Refused on this side of the network, as by the outbox.
    if (url === '') return undefined;
    if (status === 0 || isPage) {
      if (typeof url === 'string') {
        this.#failedUrl = url;
        this.#failedName = name;
      }
      const isDoubted = (this.#contradictions.get(name) ?? 0) >= DOUBTED;
      // Its address is wrong, say; asking there says no more than it did.
      if (isPage && isDoubted) return undefined;
      if (since < this.#answers) void this.probe();
      else if (this.#state !== 'unreachable' && (sideEffect || isDoubted)) return this.probe();
      // Many fail at once; the first of them says when to ask.
      else if (this.#state !== 'unreachable') this.#lost();
    } else if (error instanceof TypeError && this.#url !== undefined) {
      // What `fetch` itself throws where there is no connection; mistakes in code are such errors too.
      void this.probe();
    }
    return undefined;
  }

  /** Asks the server; gives whether it is there. */
  probe(): Promise<boolean> {
    this.#probing ??= this.#ask().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  get #url(): string | undefined {
    return this.#parts.url ?? this.#failedUrl;
  }

  async #ask(): Promise<boolean> {
    const url = this.#url;
    if (url === undefined) {
      // Nobody knows whom to ask: whoever has something to send may try.
      this.#become('unknown');
      return this.isOnline;
    }
    const since = this.#answers;
    const isThere = await isAnswered(url, this.#parts.url === undefined);
    if (isThere) this.#found();
    else if (since === this.#answers) this.#lost();
    return isThere;
  }

  #found(): void {
    const name = this.#failedName;
    this.#failedName = undefined;
    if (name !== undefined) this.#contradictions.set(name, (this.#contradictions.get(name) ?? 0) + 1);
    this.#answers += 1;
    this.#cancel();
    this.#become('reachable');
  }

  #lost(): void {
    const { device, delay } = this.#parts;
    this.#cancel();
    this.#attempts += 1;
    // Without any network it is asked when there is one.
    if (device.isOnline)
      this.#cancel = this.#schedule?.(() => void this.probe(), delay(this.#attempts)) ?? this.#cancel;
    this.#become('unreachable');
  }

  /** The device has changed. */
  #moved(): void {
    const { isOnline, isVisible } = this.#parts.device;
    const wasOnline = this.#wasOnline;
    this.#wasOnline = isOnline;
    if (wasOnline && !isOnline) {
      this.#cancel();
      this.#state = 'unreachable';
    } else if (isOnline && (!wasOnline || (isVisible && this.#state === 'unreachable'))) void this.probe();
    this.#tell();
  }

  #become(state: Reachability): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const { listener } of [...this.#listeners]) listener();
  }
}

/**
 * Whether the server answers: whatever it says, and although another origin does not let a page read it. A web page where
 * data was asked for, or of another origin, is of a captive portal or a proxy.
 *
 * @param isData - whether the API was asked for data there
 */
async function isAnswered(url: string, isData: boolean): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (isPortal(response)) return false;
    // Of its own origin a page can read everything, but for what a redirect to another gives.
    if (response.type === 'opaque') return isOtherOrigin(url);
    // By a page of their own, frameworks also refuse a `HEAD` request where they take none.
    return !(isHtmlType(mediaType(response)) && (isSentElsewhere(url, response) || (isData && response.ok)));
  } catch {
    return false;
  }
}
