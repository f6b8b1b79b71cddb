/** A message on its way. */
interface Sent {
  readonly to: Station;
  readonly data: unknown;
}

/**
 * The platform's `BroadcastChannel` with the test as the post office: messages wait until they are delivered, and may
 * be held back or lost. From one sender to one receiver they keep their order, as everywhere.
 */
export class Network {
  /** How many messages have been posted, counted once however many get them. */
  posted = 0;
  readonly #stations = new Set<Station>();
  readonly #routes = new Map<Station, Map<Station, Sent[]>>();
  readonly #original = globalThis.BroadcastChannel;

  /** Takes the place of the platform's until `restore`. */
  install(): void {
    const open = (name: string): Station => {
      const station = new Station(this, name);
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
    await microtasks();
  }

  /** Delivers everything, and what comes of it. */
  async deliver(): Promise<void> {
    await microtasks();
    while (this.waiting > 0) await this.deliverOne(0);
  }

  /** Loses everything that is under way. */
  async lose(): Promise<void> {
    await microtasks();
    for (const queue of this.#queues()) queue.length = 0;
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
  readonly #network: Network;

  constructor(network: Network, name: string) {
    this.#network = network;
    this.name = name;
  }

  postMessage(message: unknown): void {
    this.#network.post(this, message);
  }

  close(): void {
    this.#network.leave(this);
  }
}

/** Lets everything that waits for nothing but a promise go on. */
export async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
