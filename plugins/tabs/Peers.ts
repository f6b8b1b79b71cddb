/** The minimum time between two requests to resend to one tab, in ms. */
const REQUEST_INTERVAL = 1_000;

/** The other tabs, and the last changes seen of each. */
export class Peers {
  /** Tab → number of the last change up to which all were seen; undefined while there was none. */
  readonly #seen = new Map<string, number | undefined>();
  /** Tab → when missing changes were last requested, in ms since the epoch. */
  readonly #requestedAt = new Map<string, number>();

  /** Whether there is no other tab. */
  get isEmpty(): boolean {
    return this.#seen.size === 0;
  }

  /** Adds a tab; returns whether it is new. */
  add(peer: string): boolean {
    if (this.#seen.has(peer)) return false;
    this.#seen.set(peer, undefined);
    return true;
  }

  remove(peer: string): void {
    this.#seen.delete(peer);
    this.#requestedAt.delete(peer);
  }

  /** Number of the last change of a tab up to which all were seen. */
  seen(peer: string): number | undefined {
    return this.#seen.get(peer);
  }

  /** All changes of a tab up to this one were seen. */
  markSeen(peer: string, seq: number): void {
    this.#seen.set(peer, Math.max(seq, this.#seen.get(peer) ?? 0));
    this.#requestedAt.delete(peer);
  }

  /** Whether to request missing changes of a tab; counts as a request. */
  shouldRequest(peer: string, now: number): boolean {
    const requestedAt = this.#requestedAt.get(peer);
    if (requestedAt !== undefined && now - requestedAt < REQUEST_INTERVAL) return false;
    this.#requestedAt.set(peer, now);
    return true;
  }

  /** Forgets the seen changes after a reset, but not the tabs. */
  forgetSeen(): void {
    for (const peer of this.#seen.keys()) this.#seen.set(peer, undefined);
    this.#requestedAt.clear();
  }

  /** The last seen change of each tab. */
  allSeen(): (readonly [peer: string, seq: number])[] {
    return [...this.#seen].flatMap(([peer, seq]) => (seq === undefined ? [] : [[peer, seq] as const]));
  }
}
