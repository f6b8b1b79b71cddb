import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 720px)';

/** Whether the page is as narrow as on a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow);
}

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

function isNarrow(): boolean {
  const { matchMedia } = globalThis as Partial<typeof globalThis>; // jsdom has none
  return matchMedia?.(NARROW).matches ?? false;
}
