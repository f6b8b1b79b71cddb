import { browserEnvironment, type Environment, type Plugin } from 'holdfast';
import { api } from '../model/api.ts';

/**
 * `unknown` until something was asked of the server: what is on screen came from this device, and the app does not
 * ask only to find out. `asking` until the first answer.
 */
export type Reachability = 'unknown' | 'asking' | 'online' | 'offline';

export interface Connection {
  readonly plugin: Plugin;
  /** Online as long as the server can be reached: a network alone is not enough. */
  readonly environment: Environment;
  subscribe(listener: () => void): () => void;
  current(): Reachability;
  /** Asks the server whether it is there; resolves when that is known. */
  probe(): Promise<void>;
}

const firstProbe = 2_000;
const slowestProbe = 30_000;

/** Watches the library's requests to learn whether the server can be reached, and asks again once it could not. */
export function watchConnection(): Connection {
  const browser = browserEnvironment();
  const listeners = new Set<() => void>();
  let state: Reachability = browser.isOnline ? 'unknown' : 'offline';
  let pause = firstProbe;
  let timer: number | undefined;

  function become(next: Reachability) {
    window.clearTimeout(timer);
    if (next === 'offline') {
      timer = window.setTimeout(() => void probe(), pause);
      pause = Math.min(pause * 1.6, slowestProbe);
    } else {
      pause = firstProbe;
    }
    if (next === state) return;
    state = next;
    tell();
  }

  function tell() {
    for (const listener of [...listeners]) listener();
  }

  async function probe() {
    if (!browser.isOnline) return;
    const reached = await fetch(`${api}/health`).then(
      () => true,
      () => false,
    );
    become(reached ? 'online' : 'offline');
  }

  browser.subscribe(() => {
    if (!browser.isOnline) become('offline');
    // Somebody looks again, or there is a network again: a good moment to ask.
    else if (state === 'offline' && browser.isVisible) void probe();
    tell();
  });

  function subscribe(listener: () => void) {
    // Each subscription is its own, also where two have the same listener.
    const own = () => {
      listener();
    };
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  }

  return {
    plugin: {
      name: 'connection',
      async request(request, next) {
        if (state === 'unknown') become('asking');
        try {
          const answer = await next(request);
          become('online');
          return answer;
        } catch (error) {
          become(isUnreachable(error) ? 'offline' : 'online');
          throw error;
        }
      },
    },
    environment: {
      get isOnline() {
        return state !== 'offline';
      },
      get isVisible() {
        return browser.isVisible;
      },
      subscribe,
    },
    subscribe,
    current: () => state,
    probe,
  };
}

/** Whether no answer came at all; an error of the server is an answer. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 0;
}
