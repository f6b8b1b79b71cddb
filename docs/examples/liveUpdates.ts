import { Entity, RestEndpoint, type Controller, type Plugin } from 'holdfast';

export class Quote extends Entity {
  symbol = '';
  price = 0;
  static override key = 'Quote';

  override pk() {
    return this.symbol;
  }
}

/** Polled every five seconds, unless a plugin below takes it over. */
export const getQuote = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/quotes/:symbol',
  schema: Quote,
  pollFrequency: 5_000,
});

/** One `EventSource` for each quote that has subscribers. */
export function quotesByEventSource(Source: typeof EventSource): Plugin {
  let controller: Controller;
  return {
    name: 'quotesByEventSource',
    start(started) {
      controller = started;
    },
    subscribe({ endpoint, args }) {
      if (endpoint !== getQuote) return undefined;
      const [{ symbol }] = args as [{ symbol: string }]; // those of getQuote
      const source = new Source(
        `https://api.example.com/quotes/${encodeURIComponent(symbol)}/events`,
      );
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        controller.set(
          Quote,
          { symbol },
          JSON.parse(data) as { price: number },
        );
      });
      return () => source.close();
    },
  };
}

/**
 * One `WebSocket` for all quotes: open while there are subscribers, and
 * reconnected a second after it was lost.
 */
export function quotesByWebSocket(Socket: typeof WebSocket): Plugin {
  const symbols = new Set<string>();
  let controller: Controller;
  let socket: WebSocket | undefined;
  let cancelReconnect: (() => void) | undefined;

  const send = (message: object): void => {
    if (socket?.readyState === 1) socket.send(JSON.stringify(message));
  };
  const open = (): void => {
    const opened = (socket = new Socket('wss://api.example.com/quotes'));
    opened.addEventListener('open', () => {
      for (const symbol of symbols) send({ subscribe: symbol });
    });
    opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { symbol, price } = JSON.parse(data) as {
        symbol: string;
        price: number;
      };
      if (symbols.has(symbol)) controller.set(Quote, { symbol }, { price });
    });
    opened.addEventListener('close', () => {
      if (socket === opened) cancelReconnect = controller.schedule(open, 1_000);
    });
  };
  const close = (): void => {
    const closed = socket;
    socket = undefined;
    cancelReconnect?.();
    closed?.close();
  };

  return {
    name: 'quotesByWebSocket',
    start(started) {
      controller = started;
    },
    subscribe({ endpoint, args }) {
      if (endpoint !== getQuote) return undefined;
      const [{ symbol }] = args as [{ symbol: string }]; // those of getQuote
      symbols.add(symbol);
      if (socket === undefined) open();
      else send({ subscribe: symbol });
      return () => {
        symbols.delete(symbol);
        send({ unsubscribe: symbol });
        if (symbols.size === 0) close();
      };
    },
  };
}
