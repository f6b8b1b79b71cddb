import type { Commit, Controller, State } from 'holdfast';
import type { Channel } from './Channel.ts';
import { ChangeHistory } from './ChangeHistory.ts';
import type { Peers } from './Peers.ts';
import type { SharingPolicy } from './SharingPolicy.ts';
import { ChangeAccumulator } from './ChangeAccumulator.ts';

/** This many requests to resend are answered individually per interval (in ms); further ones share an answer. */
const SINGLE_REPLIES = 8;
const REPLY_INTERVAL = 100;

/** Broadcasts the commits of this tab. */
export class Broadcaster {
  readonly history = new ChangeHistory();
  /** The confirmed state as of the last commit. */
  state: State;
  readonly #controller: Controller;
  readonly #channel: Channel;
  readonly #peers: Peers;
  readonly #policy: SharingPolicy;
  /** Changes since the last message. */
  #changes = new ChangeAccumulator();
  /** Requests to resend in this interval, and the unanswered ones: tab → last seen change. */
  #replyCount = 0;
  readonly #pendingReplies = new Map<string, number>();

  constructor(controller: Controller, channel: Channel, peers: Peers, policy: SharingPolicy) {
    // Nothing is shown optimistically before the plugins have started.
    this.state = controller.getState();
    this.#controller = controller;
    this.#channel = channel;
    this.#peers = peers;
    this.#policy = policy;
  }

  /** Records the state after a commit, and its changes if they are broadcast. */
  record(commit: Commit, isBroadcast: boolean): void {
    this.state = commit.base;
    if (!isBroadcast) return;
    // All commits of one task share a message.
    if (this.#changes.size === 0) queueMicrotask(() => this.send());
    this.#changes.addCommit(commit);
  }

  /** Sends the changes since the last message. */
  send(): void {
    if (this.#changes.size === 0) return;
    const changes = this.#changes;
    this.#changes = new ChangeAccumulator();
    this.history.add(changes, this.#controller.now());
    // A single tab does not broadcast; tabs that open later request the history.
    if (!this.#peers.isEmpty) this.#post(changes, this.history.seq - 1);
  }

  /**
   * Resends changes after a number, as far as they are available. The answers take a bounded share of this tab's
   * time, however many tabs ask.
   *
   * @param to - the requesting tab
   */
  resend(since: number, to: string): void {
    if (this.#replyCount === 0) this.#controller.schedule(() => this.#replyToRest(), REPLY_INTERVAL);
    this.#replyCount += 1;
    if (this.#replyCount <= SINGLE_REPLIES) this.#resend(since, [to]);
    else this.#pendingReplies.set(to, since);
  }

  #replyToRest(): void {
    this.#replyCount = 0;
    if (this.#pendingReplies.size === 0) return;
    const since = Math.min(...this.#pendingReplies.values());
    const to = [...this.#pendingReplies.keys()];
    this.#pendingReplies.clear();
    this.#resend(since, to);
  }

  #resend(since: number, to: readonly string[]): void {
    this.send();
    this.history.forgetOld(this.#controller.now());
    const start = Math.max(since, this.history.start);
    this.#post(this.history.after(start), start, to);
  }

  /** Forgets all changes after a reset. */
  clear(): void {
    this.#changes = new ChangeAccumulator();
    this.history.clear();
  }

  #post(changes: ChangeAccumulator, since: number, to?: readonly string[]): void {
    const contents = this.#policy.contents(changes, this.state);
    const body = { kind: 'changes', since, seq: this.history.seq, to } as const;
    try {
      this.#channel.post({ ...body, ...contents });
    } catch {
      // A value that cannot be cloned must not prevent the rest.
      this.#channel.post({ ...body, ...this.#policy.clonable(contents) });
    }
  }
}
