import type { Schedule } from 'holdfast';

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

/** For how long a lease holds, and how often it is renewed or asked for again, in ms. */
const LENGTH = 10_000;
const RENEW = 3_000;
const ASK_AGAIN = 500;

/**
 * Runs something while no other tab or worker does: under a Web Lock or, where there are none, a lease in the
 * database. Waits for its turn.
 *
 * @param isWanted - asked before waiting on
 */
export async function alone(
  name: string,
  lease: Lease,
  { locks, now, schedule }: Surroundings,
  run: () => Promise<void>,
  isWanted: () => boolean,
): Promise<void> {
  if (locks !== undefined) {
    await locks.request(name, async () => {
      if (isWanted()) await run();
    });
    return;
  }
  // Without a database either there is nobody to share anything with.
  if (typeof indexedDB === 'undefined') return run();
  const owner = `${now()}-${Math.random()}`;
  // Where nothing can be stored, there is nothing to share either.
  const take = (): Promise<boolean> => lease.take(owner, now(), now() + LENGTH).catch(() => true);
  while (!(await take())) {
    await new Promise<void>((resolve) => void schedule(resolve, ASK_AGAIN));
    if (!isWanted()) return;
  }
  let cancel: () => void = () => undefined;
  const renew = (): void => {
    cancel = schedule(() => {
      void take();
      renew();
    }, RENEW);
  };
  renew();
  try {
    await run();
  } finally {
    cancel();
    await lease.giveBack(owner).catch(() => undefined);
  }
}

/** The browser's own. */
export function webLocks(): Locks | undefined {
  return typeof navigator === 'undefined' ? undefined : (navigator as Partial<Navigator>).locks;
}
