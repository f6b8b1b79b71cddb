import type { Controller } from 'holdfast';
import type { Entries } from './Entries.ts';
import type { Entry } from './Entry.ts';
import { alone, type IsMine, type Lease, type Locks } from './Lease.ts';

/** What a drainer works with. */
export interface DrainerParts {
  readonly controller: Controller;
  readonly entries: Entries;
  /** Of the lock. */
  readonly name: string;
  readonly lease: Lease;
  readonly locks: Locks | undefined;
  /** Makes one attempt; afterwards the entry is gone, or waits for its time. */
  readonly attempt: (entry: Entry, isMine: IsMine) => Promise<void>;
  /** Stores what has been answered; gives whether there was anything. */
  readonly store: () => boolean;
  /** Called once nobody else drains. */
  readonly begins: () => Promise<unknown>;
  /** Called before others may drain. */
  readonly ends: () => Promise<unknown>;
  /** Nothing more can be sent now. */
  readonly rests: () => void;
  /** Whether nothing may be sent, since what is not read yet comes first. */
  readonly isPaused: () => boolean;
  readonly failed: (error: unknown) => void;
}

/** For how long a tab is trusted to send what somebody in it waits for, in ms. */
const AWAITED = 30_000;

/** When to try again where nothing could be tried, in ms. */
const AFTER_FAILURE = 5_000;

/** When to look again for what another tab has told of and the disk does not have, in ms. */
const LOOK_AGAIN = 500;

/** Sends entries, one after the other in each queue, while no other tab or worker does. */
export class Drainer {
  readonly #parts: DrainerParts;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;
  /** Settles when this one's turn has ended. */
  #turn: Promise<unknown> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;
  /** What has been left to another tab once. */
  readonly #left = new Set<string>();

  constructor(parts: DrainerParts) {
    this.#parts = parts;
  }

  /** Whether entries are being sent. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Sends what can be sent; resolves when nothing more can be. */
  wake(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // Asked for between its last look and now.
      if (this.#isWanted && !this.#isStopped) void this.wake();
    });
    return this.#running;
  }

  /** Resolves when others may have their turn. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#turn;
  }

  /** Whether an entry can be sent now. */
  isReady(entry: Entry): boolean {
    return this.#isOnline && this.#next(entry.queue) !== undefined && !this.#parts.entries.isBlocked(entry);
  }

  get #isOnline(): boolean {
    const { controller, isPaused } = this.#parts;
    return !this.#isStopped && !isPaused() && controller.environment.isOnline;
  }

  async #run(): Promise<void> {
    const { name, lease, locks, controller, rests, failed } = this.#parts;
    const surroundings = {
      locks,
      now: () => controller.now(),
      schedule: (run: () => void, delay: number) => controller.schedule(run, delay),
    };
    let wait = 0;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      try {
        if (this.#hasWork)
          await alone(
            name,
            lease,
            surroundings,
            (isMine) => {
              const turn = this.#drain(isMine);
              this.#turn = turn.catch(() => undefined);
              return turn;
            },
            () => this.#hasWork,
          );
      } catch (error) {
        wait = AFTER_FAILURE;
        failed(error);
      }
    }
    rests();
    this.#setTimer(wait);
  }

  get #hasWork(): boolean {
    return this.#isOnline && this.#parts.entries.queues.some((queue) => this.#next(queue) !== undefined);
  }

  async #drain(isMine: IsMine): Promise<void> {
    const { entries, begins, ends } = this.#parts;
    await begins();
    await Promise.all(entries.queues.map((queue) => this.#drainQueue(queue, isMine)));
    await ends();
    // What is left waits for another turn.
    if (!isMine()) this.#isWanted = true;
  }

  async #drainQueue(queue: string, isMine: IsMine): Promise<void> {
    const next = (): Entry | undefined => (this.#isOnline && isMine() ? this.#next(queue) : undefined);
    do {
      for (let entry = next(); entry !== undefined; entry = next()) {
        await entry.kept;
        if (next() !== entry) continue;
        if (entry.isHearsay) {
          entry.postpone(this.#parts.controller.now(), LOOK_AGAIN);
          continue;
        }
        if (this.#leaves(entry)) {
          this.#parts.store();
          return;
        }
        await this.#parts.attempt(entry, isMine);
      }
      // What has been stored may be what the next one has been waiting for.
    } while (this.#parts.store() && !this.#isStopped);
  }

  /** Lets the tab go first in which somebody waits for this one: only there can the answer be given to them. */
  #leaves({ key, waiter, record }: Entry): boolean {
    const isAwaited = record.isAwaited && this.#parts.controller.now() - record.createdAt < AWAITED;
    if (!isAwaited || waiter !== undefined || this.#left.has(key)) return false;
    this.#left.add(key);
    this.#isWanted = true;
    return true;
  }

  /** The next of a queue, unless it waits for its time. */
  #next(queue: string): Entry | undefined {
    const { entries, controller } = this.#parts;
    const entry = entries.first(queue);
    return entry?.waits(controller.now()) === 0 ? entry : undefined;
  }

  /** @param atLeast - in ms */
  #setTimer(atLeast: number): void {
    this.#cancelTimer();
    if (this.#isStopped) return;
    const { entries, controller } = this.#parts;
    const waits = entries.queues.flatMap((queue) => entries.first(queue)?.waits(controller.now()) ?? []);
    const next = Math.min(...waits);
    if (next === Infinity || !this.#isOnline) return;
    this.#cancelTimer = controller.schedule(() => void this.wake(), Math.max(atLeast, next));
  }
}
