import { useSyncExternalStore } from 'react';
import { currentScope, currentSession, isExpired, subscribeToSession, type Session } from './session.ts';

/** The signed-in user, or null. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribeToSession, currentSession);
}

/** Names the data of the signed-in user. */
export function useScope(): string {
  return useSyncExternalStore(subscribeToSession, currentScope);
}

/** Whether the signed-in user has to sign in again. */
export function useIsExpired(): boolean {
  return useSyncExternalStore(subscribeToSession, isExpired);
}
