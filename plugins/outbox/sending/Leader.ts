import { HoldfastError } from 'holdfast';
import type { Entry } from '../queue/Entry.ts';
import type { Queue } from '../queue/Queue.ts';
import type { Sync } from '../queue/Sync.ts';
import type { Sender } from './Sender.ts';
import { within } from './Session.ts';
import { withLock, type HasLock, type LockDeps } from './withLock.ts';

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
  readonly #queue: Queue;
  readonly #sync: Sync;
  readonly #sender: Sender;
  readonly #lock: LockDeps;
  readonly #onIdle: () => void;
  #running: Promise<void> | undefined;
  #isWanted = false;
  /** Settles when the lock can be released. */
  #lockHeld: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;

  /** @param onIdle - called when nothing more can be sent for now */
  constructor(queue: Queue, sync: Sync, sender: Sender, lock: LockDeps, onIdle: () => void) {
    this.#queue = queue;
    this.#sync = sync;
    this.#sender = sender;
    this.#lock = lock;
    this.#onIdle = onIdle;
  }

  /** Whether it is sending. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Sends what can be sent, once stored entries are known; resolves when nothing more can be. */
  async wake(): Promise<void> {
    await this.#sync.readable;
    const { controller, isStopped } = this.#queue;
    if (isStopped) return;
    this.#isWanted = true;
    // An attempt in progress, here or in the tab that has the lock, may not notice that there is no network.
    if (this.isRunning && !controller.environment.isOnline)
      this.#queue.callers.releaseAwaited((entry) => entry.isSending);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // It was woken after its last check.
      if (this.#isWanted) void this.wake();
    });
    await this.#running;
  }

  /** Resolves when the lock is released. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    await this.#lockHeld.catch(() => undefined);
  }

  /** Lets a read see the effects of the mutations before it: settles when these are sent, or it has waited long enough. */
  async sendBacklog(): Promise<void> {
    const { controller, entries } = this.#queue;
    if (!this.isRunning || this.#sender.resolvingConflicts > 0 || !entries.hasBacklog) return;
    await within(controller, MAX_WAIT, this.wake()).catch(() => undefined);
  }

  get #isOnline(): boolean {
    const { controller, entries, isStopped } = this.#queue;
    return !isStopped && !entries.isParked && controller.environment.isOnline;
  }

  async #run(): Promise<void> {
    const queue = this.#queue;
    const drain = (hasLock: HasLock): Promise<void> => (this.#lockHeld = this.#drain(hasLock));
    let wait = 0;
    while (this.#isWanted && !queue.isStopped) {
      this.#isWanted = false;
      try {
        if (this.#hasWork) await withLock(this.#lock, drain, () => this.#hasWork);
      } catch (cause) {
        wait = AFTER_FAILURE;
        const message = 'The outbox could not send pending mutations; it will retry';
        queue.report(new HoldfastError('HF_STORAGE', message, { cause }));
      }
    }
    queue.callers.releaseAwaited(
      (entry) => this.#next(entry.queue) !== undefined && !queue.entries.isBlocked(entry),
    );
    this.#onIdle();
    this.#setTimer(wait);
  }

  get #hasWork(): boolean {
    return this.#queue.entries.queues.some((queue) => this.#next(queue) !== undefined);
  }

  async #drain(hasLock: HasLock): Promise<void> {
    const queue = this.#queue;
    // Another tab may have sent some.
    await this.#sync.read();
    await Promise.all(queue.entries.queues.map((name) => this.#drainQueue(name, hasLock)));
    await queue.records.written;
    // The rest is sent with the next lock, and so is what a response in another queue has unblocked.
    if (!hasLock() || this.#hasWork) this.#isWanted = true;
  }

  async #drainQueue(queue: string, hasLock: HasLock): Promise<void> {
    const { controller } = this.#queue;
    const sender = this.#sender;
    const next = (): Entry | undefined => (hasLock() ? this.#next(queue) : undefined);
    do {
      for (let entry = next(); entry !== undefined; entry = next()) {
        await entry.written;
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
    } while (sender.storeAnswered() && !this.#queue.isStopped);
  }

  /** Leaves an entry to the tab in which a caller waits for it, since only that tab can return the response. */
  #deferToWaitingTab(entry: Entry): boolean {
    const { waiter, record, wasDeferred } = entry;
    const isAwaited = record.isAwaited && this.#queue.controller.now() - record.createdAt < TRUSTED_TO_SEND;
    if (!isAwaited || waiter !== undefined || wasDeferred) return false;
    entry.wasDeferred = true;
    this.#isWanted = true;
    return true;
  }

  /** The next entry of a queue, if it can be sent now. */
  #next(queue: string): Entry | undefined {
    if (!this.#isOnline) return undefined;
    const entry = this.#queue.entries.first(queue);
    return entry?.remainingDelay(this.#queue.controller.now()) === 0 ? entry : undefined;
  }

  /** @param atLeast - in ms */
  #setTimer(atLeast: number): void {
    this.#cancelTimer();
    if (!this.#isOnline) return;
    const { controller, entries } = this.#queue;
    const delays = entries.queues.flatMap(
      (name) => entries.first(name)?.remainingDelay(controller.now()) ?? [],
    );
    // No `Math.min(...delays)`: engines limit the number of arguments.
    const next = delays.reduce((least, delay) => Math.min(least, delay), Infinity);
    if (next < Infinity)
      this.#cancelTimer = controller.schedule(() => void this.wake(), Math.max(atLeast, next));
  }
}
