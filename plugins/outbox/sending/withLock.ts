import type { Controller } from 'holdfast';
import { hasIndexedDB } from '../../shared/hasIndexedDB.ts';
import { requestLock } from '../../shared/locks.ts';
import { onPageLifecycle } from '../../shared/pageLifecycle.ts';

/** The used part of the Web Locks API. */
export interface Locks {
  request(name: string, run: () => Promise<void>): Promise<unknown>;
}

/** A lock that expires, in the database that all tabs share. */
export interface Lease {
  /**
   * Takes or renews it for this tab, or gives it back.
   *
   * @param now - in ms since the epoch
   * @param until - when it expires; 0 to give it back
   * @returns whether no other tab has it
   */
  lease(now: number, until: number): Promise<boolean>;
}

/** What `withLock` needs. */
export interface LockDeps {
  readonly controller: Controller;
  /** The name of the lock. */
  readonly name: string;
  /** Undefined without Web Locks. */
  readonly locks: Locks | undefined;
  readonly lease: Lease;
}

/** Whether the lock is still held. Once it is not, other tabs may have done anything. */
export type HasLock = () => boolean;

/** How long a lease is valid, how often it is renewed, and how often it is requested again, in ms. */
const LEASE_TIME = 10_000;
const RENEW_EVERY = 3_000;
const RETRY_EVERY = 500;

/**
 * Runs a function under a Web Lock or, without Web Locks, a lease in the database. A page that is frozen or left releases it.
 *
 * @param isWanted - checked before it waits again
 */
export async function withLock(
  deps: LockDeps,
  run: (hasLock: HasLock) => Promise<void>,
  isWanted: () => boolean,
): Promise<void> {
  if (deps.locks !== undefined && (await withWebLock(deps.name, deps.locks, run, isWanted))) return;
  // Without a database there is nothing to share with other tabs.
  if (!hasIndexedDB()) return run(() => true);
  await withLease(deps, run, isWanted);
}

async function withLease(
  { controller, lease }: LockDeps,
  run: (hasLock: HasLock) => Promise<void>,
  isWanted: () => boolean,
): Promise<void> {
  let until = 0;
  let cancel: () => void = () => undefined;
  // The timers of a frozen or background page may be delayed for longer than a lease is valid.
  const hasLock = (): boolean => until > controller.now() && until <= controller.now() + LEASE_TIME;
  const acquire = async (): Promise<boolean> => {
    const now = controller.now();
    const end = now + LEASE_TIME;
    // If nothing can be stored, there is nothing to share.
    const isOwn = await lease.lease(now, end).catch(() => true);
    until = isOwn ? end : 0;
    return isOwn;
  };
  while (!(await acquire())) {
    await new Promise<void>((resolve) => void controller.schedule(resolve, RETRY_EVERY));
    if (!isWanted()) return;
  }
  const renew = (): void => {
    cancel = controller.schedule(() => {
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
    await lease.lease(controller.now(), 0).catch(() => undefined);
  }
}

/**
 * Releases the lock when the page is frozen or left. Resolves with false without running if the browser denies locks, as
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
          // Safari has no event for a page that is frozen, and until 2025 a page in the back/forward cache kept its
          // locks (https://webkit.org/b/283528).
          stop = onPageLifecycle({ onFreeze, onUnload: onFreeze });
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
