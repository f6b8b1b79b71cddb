import type { Controller } from 'holdfast';
import type { Entries } from '../queue/Entries.ts';
import type { Entry } from '../queue/Entry.ts';
import { withLock, type HasLock, type Lease, type Locks } from './Lease.ts';

/** What a drainer needs. */
export interface DrainerDeps {
  readonly controller: Controller;
  readonly entries: Entries;
  /** The name of the lock. */
  readonly name: string;
  readonly lease: Lease;
  readonly locks: Locks | undefined;
  /** Sends an entry once; afterwards it is removed or waits for its next attempt. */
  readonly attempt: (entry: Entry, hasLock: HasLock) => Promise<void>;
  /** Stores collected responses; returns whether there were any. */
  readonly store: () => boolean;
  /** Called when it has got the lock. */
  readonly onStart: () => Promise<unknown>;
  /** Called before it releases the lock. */
  readonly onEnd: () => Promise<unknown>;
  /** Nothing more can be sent for now. */
  readonly onIdle: () => void;
  /** Whether sending is paused because stored entries were not read yet. */
  readonly isPaused: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** How long another tab with a waiting caller is trusted to send an entry, in ms. */
const TRUSTED_TO_SEND = 30_000;

/** The delay after a failure to get the lock, in ms. */
const AFTER_FAILURE = 5_000;

/** When to look again for an announced entry that is not on disk, in ms. */
const RECHECK_AFTER = 500;

/** Sends the entries of each queue in order, while it holds the lock. */
export class Drainer {
  readonly #deps: DrainerDeps;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;
  /** Settles when the lock can be released. */
  #lockHeld: Promise<unknown> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;
  /** Entries that were left to another tab once. */
  readonly #deferred = new Set<string>();

  constructor(deps: DrainerDeps) {
    this.#deps = deps;
  }

  /** Whether it is sending. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Sends what can be sent; resolves when nothing more can be. */
  wake(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // It was woken after its last check.
      if (this.#isWanted && !this.#isStopped) void this.wake();
    });
    return this.#running;
  }

  /** Resolves when the lock is released. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#lockHeld;
  }

  /** Whether an entry can be sent now. */
  isReady(entry: Entry): boolean {
    return this.#isOnline && this.#next(entry.queue) !== undefined && !this.#deps.entries.isBlocked(entry);
  }

  get #isOnline(): boolean {
    const { controller, isPaused } = this.#deps;
    return !this.#isStopped && !isPaused() && controller.environment.isOnline;
  }

  async #run(): Promise<void> {
    const { name, lease, locks, controller, onIdle, onError } = this.#deps;
    const lockDeps = {
      locks,
      now: () => controller.now(),
      schedule: (run: () => void, delay: number) => controller.schedule(run, delay),
    };
    let wait = 0;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      try {
        if (this.#hasWork)
          await withLock(
            name,
            lease,
            lockDeps,
            (hasLock) => {
              const drained = this.#drain(hasLock);
              this.#lockHeld = drained.catch(() => undefined);
              return drained;
            },
            () => this.#hasWork,
          );
      } catch (error) {
        wait = AFTER_FAILURE;
        onError(error);
      }
    }
    onIdle();
    this.#setTimer(wait);
  }

  get #hasWork(): boolean {
    return this.#isOnline && this.#deps.entries.queues.some((queue) => this.#next(queue) !== undefined);
  }

  async #drain(hasLock: HasLock): Promise<void> {
    const { entries, onStart, onEnd } = this.#deps;
    await onStart();
    await Promise.all(entries.queues.map((queue) => this.#drainQueue(queue, hasLock)));
    await onEnd();
    // The rest is sent with the next lock.
    if (!hasLock()) this.#isWanted = true;
  }

  async #drainQueue(queue: string, hasLock: HasLock): Promise<void> {
    const next = (): Entry | undefined => (this.#isOnline && hasLock() ? this.#next(queue) : undefined);
    do {
      for (let entry = next(); entry !== undefined; entry = next()) {
        await entry.firstWrite;
        if (next() !== entry) continue;
        if (entry.isUnconfirmed) {
          entry.postpone(this.#deps.controller.now(), RECHECK_AFTER);
          continue;
        }
        if (this.#deferToWaitingTab(entry)) {
          this.#deps.store();
          return;
        }
        await this.#deps.attempt(entry, hasLock);
      }
      // A stored response may unblock further entries.
    } while (this.#deps.store() && !this.#isStopped);
  }

  /** Leaves an entry to the tab in which a caller waits for it, since only that tab can return the response. */
  #deferToWaitingTab({ key, waiter, record }: Entry): boolean {
    const isAwaited = record.isAwaited && this.#deps.controller.now() - record.createdAt < TRUSTED_TO_SEND;
    if (!isAwaited || waiter !== undefined || this.#deferred.has(key)) return false;
    this.#deferred.add(key);
    this.#isWanted = true;
    return true;
  }

  /** The next entry of a queue, if it is due. */
  #next(queue: string): Entry | undefined {
    const { entries, controller } = this.#deps;
    const entry = entries.first(queue);
    return entry?.remainingDelay(controller.now()) === 0 ? entry : undefined;
  }

  /** @param atLeast - in ms */
  #setTimer(atLeast: number): void {
    this.#cancelTimer();
    if (this.#isStopped) return;
    const { entries, controller } = this.#deps;
    const delays = entries.queues.flatMap(
      (queue) => entries.first(queue)?.remainingDelay(controller.now()) ?? [],
    );
    const next = Math.min(...delays);
    if (next === Infinity || !this.#isOnline) return;
    this.#cancelTimer = controller.schedule(() => void this.wake(), Math.max(atLeast, next));
  }
}
