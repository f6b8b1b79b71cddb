import type { Controller, Mutation } from 'holdfast';
import { yieldToMain } from '../../shared/mainThread.ts';
import { mutationsOf, type Entry } from './Entry.ts';
import { compareEntries } from './SortedEntries.ts';
import { NAME, type Queue } from './Queue.ts';

/** How to split long work into tasks. */
export interface Pacing {
  /** Entries replayed in one task. */
  readonly size: number;
  /** Yields to the main thread. */
  readonly pause: () => Promise<void>;
}

/** Ten thousand at once would block the page for a third of a second, on a phone for longer. */
export const PACING: Pacing = { size: 100, pause: yieldToMain };

/** Replays the layers of entries from elsewhere, such as the whole queue after a reload: in order, in chunks. */
export class LayerReplay {
  readonly #queue: Queue;
  readonly #controller: Controller;
  readonly #pacing: Pacing;
  #running: Promise<void> | undefined;

  constructor(queue: Queue, controller: Controller, pacing: Pacing) {
    this.#queue = queue;
    this.#controller = controller;
    this.#pacing = pacing;
  }

  /** Entries to replay, in order. */
  get pending(): readonly Entry[] {
    return [...this.#queue.entries.all()].filter(({ isReplayPending }) => isReplayPending);
  }

  /**
   * Replays the first chunk at once and the rest in later tasks; settles when all are replayed.
   *
   * @param removed - mutations whose layers are removed with the first chunk
   */
  async replay(removed: readonly Mutation[] = []): Promise<void> {
    if (this.#replayChunk(removed)) await (this.#running ??= this.#replayRest());
  }

  async #replayRest(): Promise<void> {
    try {
      do await this.#pacing.pause();
      while (this.#replayChunk());
    } finally {
      this.#running = undefined;
    }
  }

  /** In one commit. Returns whether some are left. */
  #replayChunk(removed: readonly Mutation[] = []): boolean {
    const { entries, mutations, isStopped } = this.#queue;
    const { pending } = this;
    if (isStopped || pending.length + removed.length === 0) return false;
    const later = this.#shownAfter(pending[0]);
    const { size } = this.#pacing;
    // With many later entries, each chunk would replay them again, so everything is replayed at once.
    const replayed = later.length > size ? pending : pending.slice(0, size);
    for (const entry of replayed) entry.isReplayPending = false;
    const chunk = [...replayed, ...later].sort(compareEntries);
    this.#controller.batch(() => {
      mutations.commit({ origin: NAME, hidden: [...removed, ...mutationsOf(chunk)] });
      for (const entry of chunk) if (!entries.isHidden(entry)) this.#queue.show(entry);
    });
    // Otherwise the next read of a list would denormalize all of them in one task.
    this.#queue.denormalize(chunk);
    return replayed.length < pending.length;
  }

  /** The later entries whose layers exist: they are replayed again, above the layer of this one. */
  #shownAfter(first: Entry | undefined): readonly Entry[] {
    const { entries, replayedThrough } = this.#queue;
    const order = first?.record.order ?? Infinity;
    if (order > replayedThrough) return [];
    return [...entries.all()].filter(
      ({ isReplayPending, record }) => !isReplayPending && record.order >= order,
    );
  }
}
