import { useSyncExternalStore } from 'react';

const step = 30_000;

function subscribe(listener: () => void): () => void {
  const timer = window.setInterval(listener, step);
  return () => {
    window.clearInterval(timer);
  };
}

/** The time in steps of half a minute, so that “a minute ago” does not stay on screen for an hour. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.ceil(Date.now() / step) * step);
}
