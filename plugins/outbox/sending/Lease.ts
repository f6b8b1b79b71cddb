import type { Schedule } from 'holdfast';
import { hasIndexedDB } from '../../shared/hasIndexedDB.ts';
import { requestLock } from '../../shared/locks.ts';
import { onPageLifecycle } from '../../shared/pageLifecycle.ts';
import { uniqueKey } from '../../shared/uniqueKey.ts';

/** The owner of the lease, and when it expires unless renewed, in ms since the epoch. */
export interface LeaseRecord {
  readonly owner: string;
  readonly until: number;
}

/** Stores the lease. */
export interface Lease {
  /** Acquires the lease, unless another owner has it; returns whether it was acquired. */
  acquire(owner: string, now: number, until: number): Promise<boolean>;
  release(owner: string): Promise<void>;
}

/** The used part of the Web Locks API. */
export interface Locks {
  request(name: string, run: () => Promise<void>): Promise<unknown>;
}

/** What `withLock` needs. */
export interface LockDeps {
  /** Undefined without Web Locks. */
  readonly locks: Locks | undefined;
  readonly now: () => number;
  readonly schedule: Schedule;
}

/** Whether the lock is still held. Once it is not, other tabs may have done anything. */
export type HasLock = () => boolean;

/** How long a lease is valid, how often it is renewed, and how often it is requested again, in ms. */
const LEASE_TIME = 10_000;
const RENEW_EVERY = 3_000;
const RETRY_EVERY = 500;

/**
 * Runs a function under a Web Lock or, without Web Locks, a lease in the database. A frozen page releases it.
 *
 * @param isWanted - checked before it waits again
 */
export async function withLock(
  name: string,
  lease: Lease,
  { locks, now, schedule }: LockDeps,
  run: (hasLock: HasLock) => Promise<void>,
  isWanted: () => boolean,
): Promise<void> {
  if (locks !== undefined && (await withWebLock(name, locks, run, isWanted))) return;
  // Without a database there is nothing to share with other tabs.
  if (!hasIndexedDB()) return run(() => true);
  const owner = uniqueKey();
  let until = 0;
  const acquire = async (): Promise<boolean> => {
    const end = now() + LEASE_TIME;
    // If nothing can be stored, there is nothing to share.
    const isAcquired = await lease.acquire(owner, now(), end).catch(() => true);
    until = isAcquired ? end : 0;
    return isAcquired;
  };
  while (!(await acquire())) {
    await new Promise<void>((resolve) => void schedule(resolve, RETRY_EVERY));
    if (!isWanted()) return;
  }
  // The timers of a frozen or background page may be delayed for longer than a lease is valid.
  const hasLock = (): boolean => until > now() && until <= now() + LEASE_TIME;
  let cancel: () => void = () => undefined;
  const renew = (): void => {
    cancel = schedule(() => {
      if (!hasLock()) return;
      void acquire();
      renew();
    }, RENEW_EVERY);
  };
  renew();
  try {
    await run(hasLock);
  } finally {
    cancel();
    await lease.release(owner).catch(() => undefined);
  }
}

/**
 * Releases the lock when the page is frozen. Resolves with false without running if the browser denies locks, as
 * Firefox does for a site without storage access.
 */
async function withWebLock(
  name: string,
  locks: Locks,
  run: (hasLock: HasLock) => Promise<void>,
  isWanted: () => boolean,
): Promise<boolean> {
  let hasLock = true;
  let running: Promise<void> | undefined;
  let stop: () => void = () => undefined;
  try {
    const isGranted = await requestLock<[]>(
      (granted) => locks.request(name, granted),
      () => {
        if (!isWanted()) return Promise.resolve();
        const frozen = new Promise<void>((resolve) => {
          const onFreeze = (): void => {
            hasLock = false;
            resolve();
          };
          stop = onPageLifecycle({ onFreeze });
        });
        running = run(() => hasLock);
        return Promise.race([running, frozen]);
      },
    );
    await running;
    return isGranted;
  } finally {
    stop();
  }
}
