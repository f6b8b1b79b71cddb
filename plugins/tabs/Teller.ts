import type { Commit, Schedule, State } from 'holdfast';
import type { Line } from './Line.ts';
import { NOTHING } from './message.ts';
import { Recent } from './Recent.ts';
import type { Sharing } from './Sharing.ts';
import { Touched } from './Touched.ts';

/** What a teller asks for. */
export interface TellerOptions {
  /** The time in ms since the epoch. */
  readonly now: () => number;
  /** Whether there is any other tab. */
  readonly hasListeners: () => boolean;
  readonly schedule: Schedule;
}

/** So many requests to resend are answered one by one within a pause (in ms); what is asked beyond that shares an answer. */
const ANSWERED_SINGLY = 8;
const PAUSE = 100;

/** Tells the other tabs what this one commits. */
export class Teller {
  readonly #line: Line;
  readonly #sharing: Sharing;
  readonly #options: TellerOptions;
  readonly #recent = new Recent();
  /** Since the last message. */
  #touched = new Touched();
  #isDue = false;
  /** Requests to resend since the last pause, and those that have not been answered: tab → what it has seen. */
  #answers = 0;
  readonly #asking = new Map<string, number>();
  /** The confirmed state as of the last commit. */
  #state: State | undefined;

  constructor(line: Line, sharing: Sharing, options: TellerOptions) {
    this.#line = line;
    this.#sharing = sharing;
    this.#options = options;
  }

  /** The confirmed state as of the last commit. */
  get state(): State | undefined {
    return this.#state;
  }

  /** Number of the last change. */
  get seq(): number {
    return this.#recent.seq;
  }

  /** Whether there are changes that can be sent again. */
  get hasRecent(): boolean {
    return this.#recent.seq > this.#recent.start;
  }

  /** Takes note of the state that a commit led to and, where others are to be told, of what it changed. */
  note(commit: Commit, isNews: boolean): void {
    this.#state = commit.base;
    if (!isNews) return;
    this.#touched.addCommit(commit);
    if (this.#isDue || this.#touched.size === 0) return;
    this.#isDue = true;
    // What one task commits, however often, is one message.
    queueMicrotask(() => this.send());
  }

  /** Sends what was committed since the last message. */
  send(): void {
    this.#isDue = false;
    if (this.#touched.size === 0) return;
    const touched = this.#touched;
    this.#touched = new Touched();
    this.#recent.add(touched, this.#options.now());
    // A tab alone has nobody to tell: who opens later gets what is remembered.
    if (this.#options.hasListeners()) this.#post(touched, this.#recent.seq - 1);
  }

  /**
   * Sends again what came after a change, or as much of it as is remembered. However many tabs ask, the answers take a
   * bounded part of this tab's time.
   *
   * @param to - the tab that it is for
   */
  resend(since: number, to: string): void {
    if (this.#answers === 0) this.#options.schedule(() => this.#answerOthers(), PAUSE);
    this.#answers += 1;
    if (this.#answers <= ANSWERED_SINGLY) this.#resend(since, [to]);
    else this.#asking.set(to, since);
  }

  #answerOthers(): void {
    this.#answers = 0;
    if (this.#asking.size === 0) return;
    const since = Math.min(...this.#asking.values());
    const to = [...this.#asking.keys()];
    this.#asking.clear();
    this.#resend(since, to);
  }

  #resend(since: number, to: readonly string[]): void {
    this.send();
    this.#recent.forgetOld(this.#options.now());
    const start = Math.max(since, this.#recent.start);
    this.#post(this.#recent.after(start), start, to);
  }

  /** Forgets what was committed, since it is void. */
  clear(): void {
    this.#touched = new Touched();
    this.#recent.clear();
  }

  #post(touched: Touched, since: number, to?: readonly string[]): void {
    const contents = this.#state === undefined ? NOTHING : this.#sharing.contents(touched, this.#state);
    const body = { kind: 'changes', since, seq: this.#recent.seq, to } as const;
    try {
      this.#line.post({ ...body, ...contents });
    } catch {
      // One value that cannot be cloned must not cost the others.
      this.#line.post({ ...body, ...this.#sharing.clonable(contents) });
    }
  }
}
