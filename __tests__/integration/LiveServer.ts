import { Endpoint, Entity } from 'holdfast';
import type { FakeTime } from '../support/fakeTime.ts';
import { StatusError } from '../support/held.ts';

/** What a person sees of a symbol: the user who reads it, and its version. */
export class Quote extends Entity {
  symbol = '';
  text = '';
  static override key = 'Quote';

  override pk(): string {
    return this.symbol;
  }
}

export type Ticker = 'a' | 'b' | 'c';
export const SYMBOLS: readonly Ticker[] = ['a', 'b', 'c'];

/** How the server responds. */
export interface Behavior {
  /** In ms. */
  readonly delay: number;
  /** The status of its errors; 0 if there is no connection. */
  readonly fault?: 0 | 404 | 500 | undefined;
}

/** A read that was sent. */
export interface LiveRequest {
  readonly symbol: Ticker;
  isPending: boolean;
  /** Whether it may not be joined any longer: something has happened since that it may not know. */
  isOutdated: boolean;
  /** Whether a failure may be tried again at once: somebody has asked for that since, or the network has come back. */
  mayRepeat: boolean;
}

/** A connection, over which the server pushes quotes. */
export class LiveSocket {
  readonly user: string;
  readonly symbols = new Set<Ticker>();
  readonly onMessage: (quote: Pick<Quote, 'symbol' | 'text'>) => void;
  readonly onClose: () => void;

  constructor(user: string, onMessage: (quote: Pick<Quote, 'symbol' | 'text'>) => void, onClose: () => void) {
    this.user = user;
    this.onMessage = onMessage;
    this.onClose = onClose;
  }
}

/** How long a message of a socket takes, in ms. */
const PUSH_TIME = 50;

/** A server of quotes, which are polled or pushed. */
export class LiveServer {
  /** Who is signed in. */
  user = 'ann';
  behavior: Behavior = { delay: 0 };
  /** Whether it accepts connections. */
  isAccepting = true;
  readonly requests: LiveRequest[] = [];
  readonly sockets = new Set<LiveSocket>();
  readonly #time: FakeTime;
  #session = 0;
  readonly #versions = new Map<Ticker, number>();

  constructor(time: FakeTime) {
    this.#time = time;
  }

  /** The endpoints of an app. */
  endpoints({
    dataExpiryLength,
    hidesStale,
  }: {
    readonly dataExpiryLength: number;
    readonly hidesStale: boolean;
  }) {
    const get = new Endpoint(async ({ symbol }: { symbol: Ticker }) => this.#read(symbol), {
      name: 'getQuote',
      schema: Quote,
      dataExpiryLength,
      invalidIfStale: hidesStale,
    });
    const edit = new Endpoint(async ({ symbol }: { symbol: Ticker }) => this.#edit(symbol), {
      name: 'editQuote',
      schema: Quote,
      sideEffect: true,
    });
    return { get, edit };
  }

  /** What a screen of this symbol should show. */
  textOf(symbol: Ticker, user = this.user): string {
    return `${user}:${this.#versions.get(symbol) ?? 0}`;
  }

  async #read(symbol: Ticker): Promise<Pick<Quote, 'symbol' | 'text'>> {
    const request = { symbol, isPending: true, isOutdated: false, mayRepeat: false };
    this.requests.push(request);
    // Executed at once: a slow response is as old as its request.
    const quote = { symbol, text: this.textOf(symbol) };
    try {
      await this.#response();
      return quote;
    } finally {
      request.isPending = false;
    }
  }

  async #edit(symbol: Ticker): Promise<Pick<Quote, 'symbol' | 'text'>> {
    this.change(symbol);
    const quote = { symbol, text: this.textOf(symbol) };
    const session = this.#session;
    try {
      await this.#response();
      return quote;
    } finally {
      // What is read from now on must know of it.
      if (session === this.#session) this.outdate();
    }
  }

  async #response(): Promise<void> {
    const { delay, fault } = this.behavior;
    if (delay > 0) await new Promise<void>((resolve) => void this.#time.schedule(resolve, delay));
    if (fault !== undefined) throw new StatusError(fault);
  }

  /** The requests of a symbol, or of all, that are pending may not be joined any longer. */
  outdate(symbol?: Ticker): void {
    for (const request of this.requests)
      if (symbol === undefined || request.symbol === symbol) request.isOutdated = true;
  }

  /** The app forgets everything, pending requests as well. */
  forget(): void {
    this.#session += 1;
    this.outdate();
  }

  /** What fails from now on may be tried again at once. */
  letRepeat(): void {
    for (const request of this.requests) request.mayRepeat = true;
  }

  /** Somebody changes a quote. */
  change(symbol: Ticker): void {
    this.#versions.set(symbol, (this.#versions.get(symbol) ?? 0) + 1);
    for (const socket of this.sockets) if (socket.symbols.has(symbol)) this.#push(socket, symbol);
  }

  /** A client connects; it is notified of its own disconnection, too. */
  connect(socket: LiveSocket): void {
    this.sockets.add(socket);
    if (!this.isAccepting) this.#time.schedule(() => this.disconnect(socket), PUSH_TIME);
  }

  disconnect(socket: LiveSocket): void {
    if (this.sockets.delete(socket)) socket.onClose();
  }

  /** A client subscribes to a symbol, and receives what is there. */
  subscribe(socket: LiveSocket, symbol: Ticker): void {
    socket.symbols.add(symbol);
    this.#push(socket, symbol);
  }

  #push(socket: LiveSocket, symbol: Ticker): void {
    const message = { symbol, text: this.textOf(symbol, socket.user) };
    this.#time.schedule(() => {
      if (this.isAccepting && this.sockets.has(socket) && socket.symbols.has(symbol))
        socket.onMessage(message);
    }, PUSH_TIME);
  }
}
