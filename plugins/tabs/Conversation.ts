import { HoldfastError, type Commit, type Controller, type SideRecords, type Unsent } from 'holdfast';
import { Line } from './Line.ts';
import type { Changes, Contents, Message } from './message.ts';
import { onPage } from './page.ts';
import { Peers } from './Peers.ts';
import { Sharing } from './Sharing.ts';
import type { TabsOptions } from './TabsOptions.ts';
import { Teller } from './Teller.ts';
import { losesTie } from './ties.ts';

/** What a conversation needs beyond the controller. */
export interface ConversationOptions extends TabsOptions {
  /** The plugin's name. */
  readonly origin: string;
  /** Tells the app what went wrong. */
  readonly tell: (error: HoldfastError) => void;
}

/** Who is there, who has heard what, and what is made of it: one controller's part in the talk of all tabs. */
export class Conversation {
  readonly #controller: Controller;
  readonly #options: ConversationOptions;
  /** When it began, in ms since the epoch. */
  readonly #startedAt: number;
  readonly #peers = new Peers();
  readonly #line: Line;
  readonly #teller: Teller;
  readonly #stopListening: () => void;

  constructor(controller: Controller, options: ConversationOptions) {
    this.#controller = controller;
    this.#options = options;
    this.#startedAt = controller.now();
    this.#line = new Line(options, (message) => this.#receive(message));
    this.#teller = new Teller(this.#line, new Sharing(controller, options.tell), {
      now: () => controller.now(),
      hasListeners: () => !this.#peers.isEmpty,
      schedule: (run, delay) => controller.schedule(run, delay),
    });
    this.#stopListening = onPage({
      left: () => this.#leave(),
      woke: () => this.#ask(),
      returned: () => {
        this.#ask();
        void this.#catchUp();
      },
    });
    this.#ask();
  }

  commit(commit: Commit): void {
    const { type } = commit.action;
    // What this tab forgets, or brings back from the disk that all share, is no news to others.
    const isNews =
      commit.origin !== this.#options.origin && type !== 'reset' && type !== 'restore' && type !== 'collect';
    this.#teller.note(commit, isNews);
  }

  flush(): void {
    this.#teller.send();
  }

  reset(origin: string, unsent: Unsent): void {
    this.#teller.clear();
    this.#peers.forgetSeen();
    // Any other tells of a reset in another tab, which that tab has told of itself.
    if (origin !== 'app') return;
    this.#line.epoch = Math.max(this.#line.epoch + 1, Math.ceil(this.#controller.now()));
    this.#line.unsent = unsent;
    this.#line.post({ kind: 'reset' });
  }

  end(): void {
    this.#leave();
    this.#stopListening();
    this.#line.close();
  }

  /** Says that this tab hears the others no more, so that the last one need not tell anybody anything. */
  #leave(): void {
    this.#teller.send();
    this.#line.post({ kind: 'bye' });
  }

  /** Says that this tab is there, and asks for what it has not seen. */
  #ask(to?: string): void {
    this.#line.post({ kind: 'hello', to: to === undefined ? undefined : [to], seen: this.#peers.allSeen() });
  }

  #receive(message: Message): void {
    try {
      this.#hear(message);
    } catch (cause) {
      this.#options.tell(
        new HoldfastError(
          'HF_TABS',
          'What another tab committed could not be taken over here; see the cause',
          { cause },
        ),
      );
    }
  }

  #hear(message: Message): void {
    const { from, epoch } = message;
    if (message.kind === 'bye') {
      this.#peers.leave(from);
      return;
    }
    if (epoch > this.#line.epoch) this.#enter(message);
    if (message.kind === 'reset') return;
    const isNew = this.#peers.meet(from);
    if (message.kind === 'hello') {
      const seen = message.seen.find(([tab]) => tab === this.#line.id)?.[1];
      if (isNew || (seen ?? 0) !== this.#teller.seq) this.#teller.resend(seen ?? 0, from);
      return;
    }
    // What is from before a reset is void. Its sender learns of the reset when it is asked, and sends again what is not.
    if (epoch < this.#line.epoch) this.#ask(from);
    else this.#take(message);
    // While this tab was alone, it told nobody of its changes.
    if (isNew && this.#teller.hasRecent) this.#teller.resend(0, from);
  }

  /**
   * Another tab knows of a reset that this one does not.
   */
  #enter({ epoch, unsent, kind }: Message): void {
    this.#line.epoch = epoch;
    this.#line.unsent = unsent === 'keep' ? unsent : 'discard';
    // All this tab has is from after a reset that was before it began.
    if (kind !== 'reset' && epoch <= this.#startedAt) return;
    // Plugins that fail to forget tell of it themselves.
    this.#controller
      .reset({ origin: this.#options.origin, unsent: this.#line.unsent })
      .catch(() => undefined);
  }

  #take(changes: Changes): void {
    const { from, since, seq, to } = changes;
    const seen = this.#peers.seen(from);
    const isGap = since > (seen ?? 0);
    if (isGap && to === undefined) {
      if (this.#peers.mayAsk(from, this.#controller.now())) this.#ask(from);
    } else {
      this.#peers.saw(from, seq);
      // The sender does not remember all that was missed. What was before this tab met it need not be told.
      if (isGap && seen !== undefined) void this.#catchUp();
    }
    this.#apply(changes);
  }

  #apply({ rows, results, additions, side }: Contents): void {
    const { state } = this.#teller;
    const records = Object.create(null) as Record<string, SideRecords[number][]>; // any name is data
    for (const [plugin, key, record] of side) (records[plugin] ??= []).push([key, record]);
    this.#controller.apply(
      {
        rows: rows.filter(([table, pk, row, over]) => !losesTie(row, state?.tables[table]?.get(pk), over)),
        results: results.filter(([key, result]) => !losesTie(result, state?.results.get(key))),
        additions,
      },
      { origin: this.#options.origin, side: records },
    );
  }

  /** Has what was missed read from disk; where there is none, whatever is read next is fetched. */
  async #catchUp(): Promise<void> {
    // A plugin that fails tells of it itself.
    if (await this.#controller.catchUp().catch(() => false)) return;
    const results = [...(this.#teller.state?.results.entries() ?? [])].map(
      ([key, result]) => [key, { ...result, meta: { ...result.meta, expiresAt: 0 } }] as const,
    );
    this.#controller.apply({ rows: [], results }, { origin: this.#options.origin });
  }
}
