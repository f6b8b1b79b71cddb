import type { Mutation } from 'holdfast';
import { yieldToMain } from '../../shared/mainThread.ts';
import { mutationsOf } from './Entry.ts';
import type { Queue } from './Queue.ts';

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
  readonly #pacing: Pacing;
  #running: Promise<void> | undefined;

  constructor(queue: Queue, pacing: Pacing) {
    this.#queue = queue;
    this.#pacing = pacing;
  }

  /**
   * Replays the first chunk at once and the rest in later tasks; settles when all are replayed.
   *
   * @param removed - mutations whose layers are removed with the first chunk
   */
  async run(removed: readonly Mutation[] = []): Promise<void> {
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
    const { controller, entries, isStopped } = this.#queue;
    if (isStopped) return false;
    const { taken, later } = entries.takeUnreplayed(this.#pacing.size);
    if (taken.length + removed.length === 0) return false;
    const chunk = [...taken, ...later];
    controller.batch(() => {
      this.#queue.showInOrder(chunk, removed);
    });
    // Otherwise the next read of a list would denormalize all of them in one task.
    for (const mutation of mutationsOf(chunk)) this.#queue.optimisticValue(mutation);
    return entries.unreplayed.size > 0;
  }
}
