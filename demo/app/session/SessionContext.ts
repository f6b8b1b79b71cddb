import { createContext, use } from 'react';
import type { Person } from '../model/Person.ts';

export interface Session {
  /** The signed-in person. */
  readonly person: Person;
  /**
   * Deletes this person's data from the device and shows the sign-in page. Unsent changes remain on the device, hidden,
   * until this person signs in again.
   */
  signOut(): Promise<void>;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionContext.');
  return session;
}
