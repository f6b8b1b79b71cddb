import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage can be switched off; settings then last as long as the page.
    return null;
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}

/** A small piece of text that stays on this device, the same in all of its tabs. */
export function useStored(name: string, fallback: string): [string, (value: string | null) => void] {
  const key = `mooring.${name}`;
  const value = useSyncExternalStore(subscribe, () => read(key)) ?? fallback;
  const write = useCallback(
    (next: string | null) => {
      writeStored(key, next);
    },
    [key],
  );
  return [value, write];
}
