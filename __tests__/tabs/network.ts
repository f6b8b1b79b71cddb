/** A message on its way. */
interface Sent {
  readonly to: Station;
  readonly data: unknown;
}

/** In ms: longer timers do not belong to messages between tabs. */
const LONGEST_PAUSE = 100;

/**
 * The platform's `BroadcastChannel` with the test as the post office: messages wait until they are delivered, and may
 * be held back or lost. From one sender to one receiver they keep their order, as everywhere.
 */
export class Network {
  /** How many messages have been posted, counted once however many get them. */
  posted = 0;
  #opened = 0;
  readonly #stations = new Set<Station>();
  readonly #routes = new Map<Station, Map<Station, Sent[]>>();
  readonly #original = globalThis.BroadcastChannel;
  readonly #pauses = new Set<() => void>();

  /** What tabs do after a short pause is done when all messages have been delivered. */
  readonly schedule = (run: () => void, delay: number): (() => void) => {
    if (delay <= LONGEST_PAUSE) this.#pauses.add(run);
    return () => this.#pauses.delete(run);
  };

  /** Takes the place of the platform's until `restore`. */
  install(): void {
    const open = (name: string): Station => {
      const station = new Station(this, name, this.#opened);
      this.#opened += 1;
      this.#stations.add(station);
      return station;
    };
    globalThis.BroadcastChannel = function BroadcastChannel(name: string) {
      return open(name);
    } as unknown as typeof globalThis.BroadcastChannel; // as much of it as is used
  }

  restore(): void {
    globalThis.BroadcastChannel = this.#original;
  }

  /** How many routes there are with something under way. */
  get waiting(): number {
    return this.#queues().length;
  }

  post(from: Station, message: unknown): void {
    const data = structuredClone(message);
    this.posted += 1;
    for (const to of this.#stations) {
      if (to === from || to.name !== from.name) continue;
      const routes = this.#routes.get(from) ?? new Map<Station, Sent[]>();
      this.#routes.set(from, routes);
      const queue = routes.get(to) ?? [];
      routes.set(to, queue);
      queue.push({ to, data: structuredClone(data) });
    }
  }

  leave(station: Station): void {
    this.#stations.delete(station);
  }

  /** Delivers the first message of one of the waiting routes, or loses it. What comes of it has been posted afterwards. */
  async deliverOne(route: number, isLost = false): Promise<void> {
    const queues = this.#queues();
    const sent = queues[route % queues.length]?.shift();
    if (sent !== undefined && !isLost && this.#stations.has(sent.to))
      sent.to.onmessage?.({ data: sent.data });
    await this.microtasks();
  }

  /** Delivers everything, and what comes of it. */
  async deliver(): Promise<void> {
    await this.microtasks();
    while (this.waiting > 0 || this.#pauses.size > 0) {
      if (this.waiting > 0) await this.deliverOne(0);
      else {
        const ended = [...this.#pauses];
        this.#pauses.clear();
        for (const run of ended) run();
        await this.microtasks();
      }
    }
  }

  /** Delivers everything between these stations (by when they were opened, from 0), and what comes of it there. */
  async deliverAmong(stations: readonly number[]): Promise<void> {
    await this.microtasks();
    const isAmong = (station: Station): boolean => stations.includes(station.place);
    for (let queue = this.#next(isAmong); queue !== undefined; queue = this.#next(isAmong)) {
      const sent = queue.shift();
      sent?.to.onmessage?.({ data: sent.data });
      await this.microtasks();
    }
  }

  /** Loses everything that is under way. */
  async lose(): Promise<void> {
    await this.microtasks();
    for (const queue of this.#queues()) queue.length = 0;
  }

  /** Lets everything that waits for nothing but a promise go on. */
  async microtasks(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }

  #next(isAmong: (station: Station) => boolean): Sent[] | undefined {
    for (const [from, routes] of this.#routes)
      for (const [to, queue] of routes) if (isAmong(from) && isAmong(to) && queue.length > 0) return queue;
    return undefined;
  }

  #queues(): Sent[][] {
    return [...this.#routes.values()]
      .flatMap((routes) => [...routes.values()])
      .filter(({ length }) => length > 0);
  }
}

/** One end of a channel. */
class Station {
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  readonly name: string;
  /** How many were opened before it. */
  readonly place: number;
  readonly #network: Network;
  #isClosed = false;

  constructor(network: Network, name: string, place: number) {
    this.#network = network;
    this.name = name;
    this.place = place;
  }

  postMessage(message: unknown): void {
    if (this.#isClosed) throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    this.#network.post(this, message);
  }

  close(): void {
    this.#isClosed = true;
    this.#network.leave(this);
  }
}
