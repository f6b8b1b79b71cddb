import type { Schedule } from 'holdfast';
import { hasIndexedDB } from '../shared/hasIndexedDB.ts';

/** Who may drain, and until when unless it says so again, in ms since the epoch. */
export interface LeaseRecord {
  readonly owner: string;
  readonly until: number;
}

/** Where the lease is kept. */
export interface Lease {
  /** Takes it, unless somebody else has it; gives whether it is taken. */
  take(owner: string, now: number, until: number): Promise<boolean>;
  giveBack(owner: string): Promise<void>;
}

/** What Web Locks give, as far as it is needed. */
export interface Locks {
  request(name: string, run: () => Promise<void>): Promise<unknown>;
}

/** What running alone needs of its surroundings. */
export interface Surroundings {
  /** Undefined where there are none. */
  readonly locks: Locks | undefined;
  readonly now: () => number;
  readonly schedule: Schedule;
}

/** Whether it is still this one's turn. Once it is not, others may have done anything: it is another turn to go on. */
export type IsMine = () => boolean;

/** For how long a lease holds, and how often it is renewed or asked for again, in ms. */
const LENGTH = 10_000;
const RENEW = 3_000;
const ASK_AGAIN = 500;

/**
 * Runs something while no other tab or worker does: under a Web Lock or, where there are none, a lease in the
 * database. Waits for its turn. A page that is frozen lets others have theirs.
 *
 * @param isWanted - asked before waiting on
 */
export async function alone(
  name: string,
  lease: Lease,
  { locks, now, schedule }: Surroundings,
  run: (isMine: IsMine) => Promise<void>,
  isWanted: () => boolean,
): Promise<void> {
  if (locks !== undefined && (await underLock(name, locks, run, isWanted))) return;
  // Without a database either there is nobody to share anything with.
  if (!hasIndexedDB()) return run(() => true);
  const owner = `${now()}-${Math.random()}`;
  let until = 0;
  const take = async (): Promise<boolean> => {
    const end = now() + LENGTH;
    // Where nothing can be stored, there is nothing to share either.
    const isTaken = await lease.take(owner, now(), end).catch(() => true);
    until = isTaken ? end : 0;
    return isTaken;
  };
  while (!(await take())) {
    await new Promise<void>((resolve) => void schedule(resolve, ASK_AGAIN));
    if (!isWanted()) return;
  }
  // Timers may stand still for longer than it holds, as those of a page that is frozen or far in the background.
  const isMine = (): boolean => until > now() && until <= now() + LENGTH;
  let cancel: () => void = () => undefined;
  const renew = (): void => {
    cancel = schedule(() => {
      if (!isMine()) return;
      void take();
      renew();
    }, RENEW);
  };
  renew();
  try {
    await run(isMine);
  } finally {
    cancel();
    await lease.giveBack(owner).catch(() => undefined);
  }
}

/**
 * Gives the lock back where the page is frozen, since nobody knows for how long. Resolves with false, and has run nothing,
 * where the browser refuses locks, as Firefox does for a site that may store nothing.
 */
async function underLock(
  name: string,
  locks: Locks,
  run: (isMine: IsMine) => Promise<void>,
  isWanted: () => boolean,
): Promise<boolean> {
  let isMine = true;
  const asked = { isAnswered: false };
  let running: Promise<void> | undefined;
  let stop: () => void = () => undefined;
  try {
    await locks.request(name, () => {
      asked.isAnswered = true;
      if (!isWanted()) return Promise.resolve();
      const frozen = new Promise<void>((resolve) => {
        stop = onFreeze(() => {
          isMine = false;
          resolve();
        });
      });
      running = run(() => isMine);
      return Promise.race([running, frozen]);
    });
    await running;
    return true;
  } catch (error) {
    if (asked.isAnswered) throw error;
    return false;
  } finally {
    stop();
  }
}

/** Calls `freeze` when the page is frozen. Returns how to stop that. */
function onFreeze(freeze: () => void): () => void {
  // Workers and Node have no page.
  if (typeof document === 'undefined') return () => undefined;
  document.addEventListener('freeze', freeze);
  return () => document.removeEventListener('freeze', freeze);
}

/** The browser's own. In happy-dom it is null. */
export function webLocks(): Locks | undefined {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: Locks | null } }; // not everywhere
  return navigator?.locks ?? undefined;
}
