import { useSyncExternalStore } from 'react';
import { currentScope, currentSession, isExpired, subscribeToSession, type Session } from './session.ts';

/** Who is signed in; null for nobody. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, currentSession);
}

/** Names the data of whoever is signed in. */
export function useScope(): string {
  return useSyncExternalStore(subscribeToSession, currentScope);
}

/** Whether whoever is signed in has to sign in again. */
export function useIsExpired(): boolean {
  return useSyncExternalStore(subscribeToSession, isExpired);
}
