import { writeStored } from '../settings/stored.ts';
import { accountOf } from './accounts.ts';
import { shareSession } from './sharedSession.ts';

const key = 'mooring.session';
const signedOut = 'signed out';

/** The id of the signed-in person. At the first visit that is Mira, so that the demo starts without a form. */
export function currentPerson(): string | undefined {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(key);
  } catch {
    // Storage can be switched off: the demo then has one person.
  }
  return accountOf(stored ?? 'mira-lindqvist')?.id;
}

/** Signs a person in or, with undefined, out: in this tab, the other ones and the service worker. */
export async function setPerson(person: string | undefined): Promise<void> {
  writeStored(key, person ?? signedOut);
  await shareSession(person);
}

/** Calls `listener` when another tab signs in or out. */
export function watchPerson(listener: () => void): void {
  const before = currentPerson();
  window.addEventListener('storage', () => {
    if (currentPerson() !== before) listener();
  });
}
