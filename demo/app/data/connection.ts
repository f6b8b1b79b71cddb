import type { Plugin } from 'holdfast';
import { api } from '../model/api.ts';

/**
 * `unknown` until something was asked of the server: what is on screen came from this device, and the app does not
 * ask only to find out. `asking` until the first answer.
 */
export type Reachability = 'unknown' | 'asking' | 'online' | 'offline';

export interface Connection {
  readonly plugin: Plugin;
  subscribe(listener: () => void): () => void;
  current(): Reachability;
}

const firstProbe = 3_000;
const slowestProbe = 30_000;

/** Watches the library's requests to learn whether the server can be reached, and asks again once it could not. */
export function watchConnection(): Connection {
  const listeners = new Set<() => void>();
  let state: Reachability = navigator.onLine ? 'unknown' : 'offline';
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
    for (const listener of listeners) listener();
  }

  async function probe() {
    if (!navigator.onLine) return;
    const reached = await fetch(`${api}/health`).then(
      () => true,
      () => false,
    );
    become(reached ? 'online' : 'offline');
  }

  window.addEventListener('offline', () => {
    become('offline');
  });
  window.addEventListener('online', () => void probe());

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
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => state,
  };
}

/** Whether no answer came at all; an error of the server is an answer. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 0;
}
