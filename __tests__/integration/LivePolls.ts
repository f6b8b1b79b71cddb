import { expect } from '@jest/globals';
import { SYMBOLS, type LiveRequest, type LiveServer, type Ticker } from './LiveServer.ts';

/** When a poll is due, and what it waits for. */
interface Poll {
  /** Of each subscriber, in ms; 0 for one that is not polled. */
  readonly frequencies: number[];
  /** The smallest one that polls, now and at the last moment; else `Infinity`. */
  frequency: number;
  before: number;
  polledAt: number;
  /** The request of the last poll. */
  request: LiveRequest | undefined;
}

/** What the test knows of a moment. */
interface Moment {
  readonly now: number;
  /** Whether polls are sent: the page is visible and online. */
  readonly isActive: boolean;
  /** The symbols that are not polled, since a plugin has them pushed. */
  readonly pushed: ReadonlySet<Ticker>;
  /** Whether nothing but time has passed, so that polls are the only requests. */
  readonly isQuiet: boolean;
}

/** Knows from the subscriptions of a controller which polls it should send. */
export class LivePolls {
  readonly #server: LiveServer;
  readonly #polls = new Map<Ticker, Poll>();
  /** How many requests there were before the last moment, and which of them were pending. */
  #seen = 0;
  #pending: readonly LiveRequest[] = [];

  constructor(server: LiveServer) {
    this.#server = server;
  }

  /** How many subscribers a symbol has that want to be polled this often. */
  count(symbol: Ticker, frequency: number): number {
    return this.#polls.get(symbol)?.frequencies.filter((one) => one === frequency).length ?? 0;
  }

  /** How many subscribers there are. */
  get size(): number {
    return [...this.#polls.values()].reduce((sum, { frequencies }) => sum + frequencies.length, 0);
  }

  subscribe(symbol: Ticker, frequency: number, now: number): void {
    let poll = this.#polls.get(symbol);
    if (poll === undefined || poll.frequencies.length === 0) {
      poll = { frequencies: [], frequency: Infinity, before: Infinity, polledAt: now, request: undefined };
      this.#polls.set(symbol, poll);
    }
    poll.frequencies.push(frequency);
    adjust(poll, now);
  }

  unsubscribe(symbol: Ticker, frequency: number, now: number): void {
    const poll = this.#polls.get(symbol);
    if (poll === undefined) return;
    const place = poll.frequencies.indexOf(frequency);
    expect(place).toBeGreaterThanOrEqual(0);
    poll.frequencies.splice(place, 1);
    adjust(poll, now);
  }

  /** The controller has stopped. */
  clear(): void {
    this.#polls.clear();
  }

  /** Compares the requests that were sent since the last moment with those that should have been sent. */
  check(moment: Moment): void {
    const { requests } = this.#server;
    const sent = requests.slice(this.#seen);
    for (const symbol of SYMBOLS) {
      const ofSymbol = ({ symbol: other }: LiveRequest): boolean => other === symbol;
      const expected = this.#begins(symbol, moment, sent.filter(ofSymbol));
      if (!moment.isQuiet) continue;
      const pending = this.#pending.filter(ofSymbol);
      // One that ended at the same time may have been joined, or not.
      const joinable = pending.filter(({ isOutdated }) => !isOutdated);
      const mayJoin = joinable.length > 0;
      const mustJoin = joinable.some(({ isPending }) => isPending);
      // Who waits for an outdated response has it requested again.
      const isRepeated = pending.some(
        ({ isPending, isOutdated, mayRepeat }) => !isPending && (isOutdated || mayRepeat),
      );
      const count = sent.filter(ofSymbol).length;
      const least = expected && !mayJoin ? 1 : 0;
      const most = (expected && !mustJoin) || isRepeated ? 1 : 0;
      const isAsExpected = least <= count && count <= most;
      expect({ symbol, count, least, most, isAsExpected }).toMatchObject({ isAsExpected: true });
    }
    const pending = requests.filter(({ isPending, isOutdated }) => isPending && !isOutdated);
    expect(new Set(pending.map(({ symbol }) => symbol)).size).toBe(pending.length);
    this.#seen = requests.length;
    this.#pending = requests.filter(({ isPending }) => isPending);
  }

  /** Whether a poll begins now. */
  #begins(symbol: Ticker, { now, isActive, pushed, isQuiet }: Moment, sent: readonly LiveRequest[]): boolean {
    const poll = this.#polls.get(symbol);
    if (poll === undefined) return false;
    const hasEnded = poll.request?.isPending === false;
    if (hasEnded) poll.request = undefined;
    const { before, frequency } = poll;
    poll.before = frequency;
    // What a poll has brought may have unmounted a subscriber.
    const isLast = isQuiet && before < frequency && sent.length > 0;
    const dueAt = poll.polledAt + (isLast ? before : frequency);
    if (poll.request !== undefined || !isActive || pushed.has(symbol) || now < dueAt) return false;
    const own = [...this.#pending.filter((request) => request.symbol === symbol), ...sent];
    const isInTime = own.length > 0 && (!isQuiet || hasEnded || now === dueAt);
    expect({ symbol, now, dueAt, isInTime }).toMatchObject({ isInTime: true });
    poll.polledAt = now;
    const joined = own.findLast(({ isPending, isOutdated }) => isPending && !isOutdated);
    poll.request = joined ?? sent.findLast(({ isPending }) => isPending);
    return true;
  }
}

function adjust(poll: Poll, now: number): void {
  const frequency = Math.min(...poll.frequencies.filter((one) => one > 0), Infinity);
  if (poll.frequency === Infinity) poll.polledAt = now;
  poll.frequency = frequency;
}
