import type { Entry } from '../queue/Entry.ts';
import type { Queue } from '../queue/Queue.ts';
import type { Sync } from '../queue/Sync.ts';
import type { Sender } from './Sender.ts';
import { withLock, type HasLock, type LockDeps } from './withLock.ts';

/** What a leader needs. */
export interface LeaderDeps extends LockDeps {
  readonly queue: Queue;
  readonly sync: Sync;
  readonly sender: Sender;
  /** Nothing more can be sent for now. */
  readonly onIdle: () => void;
  readonly onError: (error: unknown) => void;
}

/** How long another tab with a waiting caller is trusted to send an entry, in ms. */
const TRUSTED_TO_SEND = 30_000;

/** The delay after a failure to get the lock, in ms. */
const AFTER_FAILURE = 5_000;

/** When to look again for an announced entry that is not on disk, in ms. */
const RECHECK_AFTER = 500;

/** How long a read waits for earlier mutations, in ms. */
const MAX_WAIT = 5_000;

/** Has the entries of each queue sent in order, while this tab holds the lock. */
export class Leader {
  readonly #deps: LeaderDeps;
  #running: Promise<void> | undefined;
  #isWanted = false;
  /** Settles when the lock can be released. */
  #lockHeld: Promise<unknown> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;

  constructor(deps: LeaderDeps) {
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
      if (this.#isWanted && !this.#deps.queue.isStopped) void this.wake();
    });
    return this.#running;
  }

  /** Resolves when the lock is released. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    await this.#lockHeld;
  }

  /** Lets a read see the effects of the mutations before it: settles when these are sent, or it has waited long enough. */
  async sendBacklog(): Promise<void> {
    const { controller, queue, sender } = this.#deps;
    if (!this.isRunning || sender.isResolvingConflict || !queue.entries.hasBacklog) return;
    await new Promise<void>((resolve) => {
      const cancel = controller.schedule(resolve, MAX_WAIT);
      void this.wake().finally(() => {
        cancel();
        resolve();
      });
    });
  }

  get #isOnline(): boolean {
    const { controller, queue } = this.#deps;
    return !this.#deps.queue.isStopped && !queue.entries.isParked && controller.environment.isOnline;
  }

  async #run(): Promise<void> {
    const { queue, onIdle, onError } = this.#deps;
    const drain = (hasLock: HasLock): Promise<void> => {
      const drained = this.#drain(hasLock);
      this.#lockHeld = drained.catch(() => undefined);
      return drained;
    };
    let wait = 0;
    while (this.#isWanted && !this.#deps.queue.isStopped) {
      this.#isWanted = false;
      try {
        if (this.#hasWork) await withLock(this.#deps, drain, () => this.#hasWork);
      } catch (error) {
        wait = AFTER_FAILURE;
        onError(error);
      }
    }
    queue.releaseAwaited((entry) => this.#next(entry.queue) !== undefined && !queue.entries.isBlocked(entry));
    onIdle();
    this.#setTimer(wait);
  }

  get #hasWork(): boolean {
    return this.#deps.queue.entries.queues.some((queue) => this.#next(queue) !== undefined);
  }

  async #drain(hasLock: HasLock): Promise<void> {
    const { queue, sync } = this.#deps;
    // Another tab may have sent some.
    await sync.read();
    await Promise.all(queue.entries.queues.map((name) => this.#drainQueue(name, hasLock)));
    await queue.records.written;
    // The rest is sent with the next lock.
    if (!hasLock()) this.#isWanted = true;
  }

  async #drainQueue(queue: string, hasLock: HasLock): Promise<void> {
    const { controller, sender } = this.#deps;
    const next = (): Entry | undefined => (hasLock() ? this.#next(queue) : undefined);
    do {
      for (let entry = next(); entry !== undefined; entry = next()) {
        await entry.firstWrite;
        if (next() !== entry) continue;
        if (entry.isUnconfirmed) {
          entry.postpone(controller.now(), RECHECK_AFTER);
          continue;
        }
        if (this.#deferToWaitingTab(entry)) {
          sender.storeAnswered();
          return;
        }
        await sender.attempt(entry, hasLock);
      }
      // A stored response may unblock further entries.
    } while (sender.storeAnswered() && !this.#deps.queue.isStopped);
  }

  /** Leaves an entry to the tab in which a caller waits for it, since only that tab can return the response. */
  #deferToWaitingTab(entry: Entry): boolean {
    const { waiter, record, wasDeferred } = entry;
    const isAwaited = record.isAwaited && this.#deps.controller.now() - record.createdAt < TRUSTED_TO_SEND;
    if (!isAwaited || waiter !== undefined || wasDeferred) return false;
    entry.wasDeferred = true;
    this.#isWanted = true;
    return true;
  }

  /** The next entry of a queue, if it can be sent now. */
  #next(queue: string): Entry | undefined {
    if (!this.#isOnline) return undefined;
    const entry = this.#deps.queue.entries.first(queue);
    return entry?.remainingDelay(this.#deps.controller.now()) === 0 ? entry : undefined;
  }

  /** @param atLeast - in ms */
  #setTimer(atLeast: number): void {
    this.#cancelTimer();
    if (!this.#isOnline) return;
    const { queue, controller } = this.#deps;
    const delays = queue.entries.queues.flatMap(
      (name) => queue.entries.first(name)?.remainingDelay(controller.now()) ?? [],
    );
    const next = Math.min(...delays);
    if (next < Infinity)
      this.#cancelTimer = controller.schedule(() => void this.wake(), Math.max(atLeast, next));
  }
}
