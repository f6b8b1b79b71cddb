import type { Controller, Plugin } from 'holdfast';
import { Quote, LiveSocket, type LiveServer, type Ticker } from './LiveServer.ts';

/** How long the plugin waits before it connects again, in ms. */
const RECONNECT_TIME = 1_000;

/** A plugin that has some quotes pushed over one socket: open while there are subscribers, and for one user. */
export class LiveFeed implements Plugin {
  readonly name = 'feed';
  /** The symbols with a subscription that has not ended, each as often as there is one. */
  readonly open: Ticker[] = [];
  /** How often a subscription was ended that had ended before. */
  endedTwice = 0;
  readonly #server: LiveServer;
  readonly #pushed: ReadonlySet<Ticker>;
  #controller!: Controller;
  #socket: LiveSocket | undefined;
  #cancelReconnect: (() => void) | undefined;

  constructor(server: LiveServer, pushed: ReadonlySet<Ticker>) {
    this.#server = server;
    this.#pushed = pushed;
  }

  start(controller: Controller): void {
    this.#controller = controller;
  }

  subscribe({ args }: { readonly args: readonly unknown[] }): (() => void) | undefined {
    const [{ symbol }] = args as [{ symbol: Ticker }]; // there is one read
    if (!this.#pushed.has(symbol)) return undefined;
    this.open.push(symbol);
    if (this.#socket === undefined) this.#connect();
    else this.#server.subscribe(this.#socket, symbol);
    let hasEnded = false;
    return () => {
      if (hasEnded) this.endedTwice += 1;
      hasEnded = true;
      this.open.splice(this.open.indexOf(symbol), 1);
      if (this.open.length === 0) this.#disconnect();
      else this.#socket?.symbols.delete(symbol);
    };
  }

  // The next user has another connection.
  async reset(): Promise<void> {
    if (this.#socket === undefined) return;
    this.#disconnect();
    this.#connect();
  }

  #connect(): void {
    const socket = new LiveSocket(
      this.#server.user,
      ({ symbol, text }) => this.#controller.set(Quote, { symbol }, { symbol, text }),
      () => {
        if (this.#socket === socket)
          this.#cancelReconnect = this.#controller.schedule(() => this.#connect(), RECONNECT_TIME);
      },
    );
    this.#socket = socket;
    this.#server.connect(socket);
    for (const symbol of this.open) this.#server.subscribe(socket, symbol);
  }

  #disconnect(): void {
    this.#cancelReconnect?.();
    this.#cancelReconnect = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket !== undefined) this.#server.disconnect(socket);
  }
}
