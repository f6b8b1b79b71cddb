import { HoldfastError, type Commit, type Controller, type SideRecords, type Unsent } from 'holdfast';
import { Channel } from './Channel.ts';
import type { Changes, Contents, Message } from './message.ts';
import { onPageLifecycle } from '../shared/pageLifecycle.ts';
import { Peers } from './Peers.ts';
import { SharingPolicy } from './SharingPolicy.ts';
import type { TabsOptions } from './TabsOptions.ts';
import { Broadcaster } from './Broadcaster.ts';
import { afterTieBreak, losesTieBreak } from './tieBreak.ts';

/** The name of the plugin. */
export const NAME = 'tabs';

/** Synchronizes one controller with the other tabs. */
export class TabSync {
  readonly #controller: Controller;
  readonly #report: (error: HoldfastError) => void;
  /** When it started, in ms since the epoch. */
  readonly #startedAt: number;
  readonly #peers = new Peers();
  readonly #channel: Channel;
  readonly #broadcaster: Broadcaster;
  readonly #stopListening: () => void;

  /** @param report - reports an error to the app */
  constructor(controller: Controller, options: TabsOptions, report: (error: HoldfastError) => void) {
    this.#controller = controller;
    this.#report = report;
    this.#startedAt = controller.now();
    this.#channel = new Channel(options, (message) => this.#receive(message));
    const policy = new SharingPolicy(controller, report);
    this.#broadcaster = new Broadcaster(controller, this.#channel, this.#peers, policy);
    this.#stopListening = onPageLifecycle({
      onUnload: () => this.#sendBye(),
      onWake: () => this.#sendHello(),
      onReturn: () => {
        this.#sendHello();
        void this.#catchUp();
      },
    });
    this.#sendHello();
  }

  commit(commit: Commit): void {
    const { type } = commit.action;
    // Restores and garbage collection are not broadcast.
    const isBroadcast =
      commit.origin !== NAME && type !== 'reset' && type !== 'restore' && type !== 'collect';
    this.#broadcaster.record(commit, isBroadcast);
  }

  flush(): void {
    this.#broadcaster.send();
  }

  /** @param at - when the app, or another tab, was reset, in ms since the epoch; 0 if that is unknown */
  reset(origin: string, unsent: Unsent, at: number): void {
    this.#broadcaster.clear();
    this.#peers.forgetSeen();
    if (at > this.#channel.resetEpoch) {
      this.#channel.resetEpoch = at;
      this.#channel.unsent = unsent;
    }
    // Other origins announce a reset of another tab, which that tab has broadcast itself.
    if (origin === 'app') this.#channel.post({ kind: 'reset' });
  }

  close(): void {
    this.#sendBye();
    this.#stopListening();
    this.#channel.close();
  }

  /** Announces that this tab no longer listens, so that a single remaining tab need not broadcast. */
  #sendBye(): void {
    this.#broadcaster.send();
    this.#channel.post({ kind: 'bye' });
  }

  /** Announces this tab, and requests the changes it has not seen. */
  #sendHello(to?: readonly string[]): void {
    this.#channel.post({ kind: 'hello', to, seen: this.#peers.allSeen() });
  }

  #receive(message: Message): void {
    try {
      this.#handle(message);
    } catch (cause) {
      this.#report(
        new HoldfastError('HF_TABS', 'A commit of another tab could not be applied here; see the cause', {
          cause,
        }),
      );
    }
  }

  #handle(message: Message): void {
    const { from, epoch } = message;
    const { history } = this.#broadcaster;
    if (message.kind === 'bye') {
      this.#peers.remove(from);
      return;
    }
    if (epoch > this.#channel.resetEpoch) this.#adoptReset(message);
    if (message.kind === 'reset') return;
    const isNew = this.#peers.add(from);
    if (message.kind === 'hello') {
      const seen = message.seen.find(([tab]) => tab === this.#channel.id)?.[1];
      if (isNew || (seen ?? 0) !== history.seq) this.#broadcaster.resend(seen ?? 0, from);
      return;
    }
    // Changes from before a reset are void. Its sender learns of the reset from the request, and resends later
    // changes.
    if (epoch < this.#channel.resetEpoch) this.#sendHello([from]);
    else this.#applyInOrder(message);
    // While this tab was alone, it did not broadcast its changes.
    if (isNew && !history.isEmpty) this.#broadcaster.resend(0, from);
  }

  /** Adopts a reset that only another tab knows. */
  #adoptReset({ epoch, unsent, kind }: Message): void {
    this.#channel.resetEpoch = epoch;
    this.#channel.unsent = unsent === 'keep' ? unsent : 'discard';
    // This tab started after that reset, so all its data is from after it. So it is if the clock was set back since. A
    // tab that has missed a reset finds it on disk.
    const isOfPast = epoch <= this.#startedAt || epoch > this.#controller.now();
    if (kind !== 'reset' && isOfPast) return;
    // Plugins report their own failures.
    this.#controller.reset({ origin: NAME, unsent: this.#channel.unsent, at: epoch }).catch(() => undefined);
  }

  #applyInOrder(changes: Changes): void {
    const { from, since, seq, to } = changes;
    const seen = this.#peers.seen(from);
    const isGap = since > (seen ?? 0);
    if (isGap && to === undefined) {
      if (this.#peers.shouldRequest(from, this.#controller.now())) this.#sendHello([from]);
    } else {
      this.#peers.markSeen(from, seq);
      // The sender no longer has all missed changes. Changes from before the first contact are not needed.
      if (isGap && seen !== undefined) void this.#catchUp();
    }
    this.#apply(changes);
  }

  #apply({ rows, results, listChanges, side }: Contents): void {
    const { state } = this.#broadcaster;
    const records = Object.create(null) as Record<string, SideRecords[number][]>; // any name is valid
    for (const [plugin, key, record] of side) {
      (records[plugin] ??= []).push([key, record]);
      if (record === undefined) this.#broadcaster.history.deleteRecord(plugin, key);
    }
    this.#controller.apply(
      {
        rows: rows.flatMap(([table, pk, row, ...over]) => {
          const merged = afterTieBreak(row, state.tables[table]?.get(pk), ...over);
          return merged === undefined ? [] : [[table, pk, merged, ...over] as const];
        }),
        results: results.filter(([key, result]) => !losesTieBreak(result, state.results.get(key))),
        listChanges,
      },
      { origin: NAME, side: records },
    );
  }

  /** Reads missed changes from disk; without a storage plugin, everything becomes stale. */
  async #catchUp(): Promise<void> {
    // Plugins report their own failures.
    if (await this.#controller.catchUp().catch(() => false)) return;
    const results = [...this.#broadcaster.state.results.entries()].map(
      ([key, result]) => [key, { ...result, meta: { ...result.meta, expiresAt: 0 } }] as const,
    );
    this.#controller.apply({ rows: [], results }, { origin: NAME });
  }
}
