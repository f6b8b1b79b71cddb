import type { OrderClock } from '../../store/OrderClock.ts';
import { type Environment, onReconnect } from '../Environment.ts';

/** Tracks which failed connections are older than the last reconnect. Listens only after a connection has failed. */
export class ReconnectTracker {
  readonly #environment: Environment;
  readonly #clock: OrderClock;
  /** The order of the last reconnect. */
  #order = 0;
  #stop: (() => void) | undefined;

  constructor(environment: Environment, clock: OrderClock) {
    this.#environment = environment;
    this.#clock = clock;
  }

  /** Starts listening for a reconnect, after a connection has failed. */
  watch(): void {
    this.#stop ??= onReconnect(this.#environment, () => {
      this.#order = this.#clock.tick();
      this.stop();
    });
  }

  /** Whether the network has come back since a request of this order. */
  hasReconnectedSince(order: number): boolean {
    return order < this.#order;
  }

  /** Stops listening. */
  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
