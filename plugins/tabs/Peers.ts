/** The minimum time between two requests to resend to one tab, in ms. */
const REQUEST_INTERVAL = 1_000;

/** What is known of another tab. */
interface Peer {
  /** Number of the last change up to which all were seen; undefined while there was none. */
  seen?: number;
  /** When missing changes were last requested, in ms since the epoch; undefined if none are missing. */
  requestedAt?: number;
}

/** The other tabs, and the last changes seen of each. */
export class Peers {
  readonly #peers = new Map<string, Peer>();

  /** Whether there is no other tab. */
  get isEmpty(): boolean {
    return this.#peers.size === 0;
  }

  /** Adds a tab; returns whether it is new. */
  add(peer: string): boolean {
    if (this.#peers.has(peer)) return false;
    this.#peers.set(peer, {});
    return true;
  }

  remove(peer: string): void {
    this.#peers.delete(peer);
  }

  /** Number of the last change of a tab up to which all were seen. */
  seen(peer: string): number | undefined {
    return this.#peers.get(peer)?.seen;
  }

  /** All changes of a tab up to this one were seen. */
  markSeen(peer: string, seq: number): void {
    this.#peers.set(peer, { seen: Math.max(seq, this.seen(peer) ?? 0) });
  }

  /** Whether to request missing changes of a tab; counts as a request. */
  shouldRequest(peer: string, now: number): boolean {
    const known = this.#peers.get(peer);
    if (known === undefined || now - (known.requestedAt ?? -Infinity) < REQUEST_INTERVAL) return false;
    known.requestedAt = now;
    return true;
  }

  /** Forgets the seen changes after a reset, but not the tabs. */
  forgetSeen(): void {
    for (const peer of this.#peers.keys()) this.#peers.set(peer, {});
  }

  /** The last seen change of each tab. */
  allSeen(): (readonly [peer: string, seq: number])[] {
    return [...this.#peers].flatMap(([peer, { seen }]) =>
      seen === undefined ? [] : [[peer, seen] as const],
    );
  }
}
