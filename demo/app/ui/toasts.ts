import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'warning';
  action?: { name: string; act: () => void } | undefined;
}

const listeners = new Set<() => void>();
let shown: readonly Toast[] = [];
let last = 0;

function set(next: readonly Toast[]) {
  shown = next;
  for (const listener of listeners) listener();
}

export function closeToast(id: number): void {
  set(shown.filter((toast) => toast.id !== id));
}

/** Says something at the edge of the screen. What needs a decision stays; the rest leaves by itself. */
export function toast(
  text: string,
  { tone = 'plain', action }: { tone?: Toast['tone']; action?: Toast['action'] } = {},
): void {
  const id = ++last;
  set([...shown.filter((other) => other.text !== text), { id, text, tone, action }]);
  if (!action) window.setTimeout(closeToast, tone === 'warning' ? 8_000 : 4_000, id);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
