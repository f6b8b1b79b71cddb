import type { OrderClock } from '../store/OrderClock.ts';
import type { Environment } from './Environment.ts';
import { whenBackOnline } from './whenBackOnline.ts';

/** Knows which failed connections are from before the network came back. Listens only after one has failed. */
export class BackOnline {
  readonly #environment: Environment;
  readonly #clock: OrderClock;
  /** The order at which the network last came back. */
  #order = 0;
  #stop: (() => void) | undefined;

  constructor(environment: Environment, clock: OrderClock) {
    this.#environment = environment;
    this.#clock = clock;
  }

  /** A connection has failed: from now on, it counts when the network comes back. */
  expect(): void {
    this.#stop ??= whenBackOnline(this.#environment, () => {
      this.#order = this.#clock.tick();
      this.stop();
    });
  }

  /** Whether the network has come back since a request of that order began. */
  isPast(order: number): boolean {
    return order < this.#order;
  }

  /** Listens no longer. */
  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
