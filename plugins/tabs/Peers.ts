/** A tab that has been asked to resend gets this long, in ms, before it is asked again. */
const PATIENCE = 1_000;

/** The other tabs, and how much of what they have told was seen. */
export class Peers {
  /** Tab → number of the last change up to which all were seen; undefined while it has told of none. */
  readonly #seen = new Map<string, number | undefined>();
  /** Tab → when it was last asked for what is missing, in ms since the epoch. */
  readonly #asked = new Map<string, number>();

  /** Whether nobody is there to be told. */
  get isEmpty(): boolean {
    return this.#seen.size === 0;
  }

  /** Takes note of a tab; returns whether it was unknown. */
  meet(peer: string): boolean {
    if (this.#seen.has(peer)) return false;
    this.#seen.set(peer, undefined);
    return true;
  }

  leave(peer: string): void {
    this.#seen.delete(peer);
    this.#asked.delete(peer);
  }

  /** Number of the last change of a tab up to which all were seen. */
  seen(peer: string): number | undefined {
    return this.#seen.get(peer);
  }

  /** All changes of a tab up to this one have been seen. */
  saw(peer: string, seq: number): void {
    this.#seen.set(peer, Math.max(seq, this.#seen.get(peer) ?? 0));
    this.#asked.delete(peer);
  }

  /** Whether to ask a tab for what is missing; counts as asking it. */
  mayAsk(peer: string, now: number): boolean {
    const asked = this.#asked.get(peer);
    if (asked !== undefined && now - asked < PATIENCE) return false;
    this.#asked.set(peer, now);
    return true;
  }

  /** Forgets what was told, since it is void, but not by whom. */
  forgetSeen(): void {
    for (const peer of this.#seen.keys()) this.#seen.set(peer, undefined);
    this.#asked.clear();
  }

  /** What was seen of each. */
  allSeen(): (readonly [peer: string, seq: number])[] {
    return [...this.#seen].flatMap(([peer, seq]) => (seq === undefined ? [] : [[peer, seq] as const]));
  }
}
