import type { Controller, Mutation } from 'holdfast';
import { yieldToMain } from '../../shared/mainThread.ts';
import { mutationsOf, type Entry } from './Entry.ts';
import { SortedEntries } from './SortedEntries.ts';
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
  readonly #controller: Controller;
  readonly #pacing: Pacing;
  /** Entries to replay. */
  readonly #pending = new SortedEntries();
  /** Removed mutations whose layers still exist. */
  #removed: readonly Mutation[] = [];
  #running: Promise<void> | undefined;

  constructor(queue: Queue, controller: Controller, pacing: Pacing) {
    this.#queue = queue;
    this.#controller = controller;
    this.#pacing = pacing;
  }

  /** Entries to replay. */
  get pending(): Iterable<Entry> {
    return this.#pending;
  }

  /**
   * Adds an entry. It is not sent before it is replayed, since its response could not be matched with its prediction.
   */
  add(entry: Entry): void {
    entry.isReplayPending = true;
    this.#pending.add(entry);
  }

  /**
   * Replays the first chunk at once and the rest in later tasks; settles when all are replayed.
   *
   * @param removed - mutations whose layers are removed
   */
  async replay(removed: readonly Mutation[] = []): Promise<void> {
    this.#removed = [...this.#removed, ...removed];
    this.#replayChunk();
    if (this.#pending.size > 0) await (this.#running ??= this.#replayRest());
  }

  clear(): void {
    this.#pending.clear();
    this.#removed = [];
  }

  async #replayRest(): Promise<void> {
    try {
      while (this.#pending.size > 0) {
        await this.#pacing.pause();
        this.#replayChunk();
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** In one commit. */
  #replayChunk(): void {
    const removed = this.#removed;
    this.#removed = [];
    const { entries, mutations, name } = this.#queue;
    const [first] = this.#pending;
    if (first === undefined && removed.length === 0) return;
    const chunk = first === undefined ? [] : this.#takeChunk(first);
    this.#controller.batch(() => {
      mutations.commit({ origin: name, hidden: [...removed, ...mutationsOf(chunk)] });
      for (const entry of chunk)
        if (entries.get(entry.key) === entry && !entries.isHidden(entry)) this.#queue.show(entry);
    });
    // Otherwise the next read of a list would denormalize all of them in one task.
    this.#queue.denormalize(chunk);
  }

  /** Takes the next chunk, with all later entries, which are replayed again. */
  #takeChunk(first: Entry): readonly Entry[] {
    const { entries, replayedThrough } = this.#queue;
    const { order } = first.record;
    const later =
      order > replayedThrough
        ? []
        : [...entries.all()].filter(
            ({ isReplayPending, record }) => !isReplayPending && record.order >= order,
          );
    const { size } = this.#pacing;
    // With many later entries, each chunk would replay them again, so everything is taken at once.
    const replayed = this.#pending.take(later.length > size ? Infinity : size);
    for (const entry of replayed) entry.isReplayPending = false;
    const all = new SortedEntries();
    for (const entry of [...replayed, ...later]) all.add(entry);
    return [...all];
  }
}
