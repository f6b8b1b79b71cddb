import type { Controller } from 'holdfast';
import { mutationsOf, type Entry } from './Entry.ts';
import { InOrder } from './InOrder.ts';
import type { Ledger } from './Ledger.ts';

/** How what takes long is cut into tasks. */
export interface Pacing {
  /** So many entries are shown in one task. */
  readonly size: number;
  /** Lets go of the main thread. */
  readonly pause: () => Promise<void>;
}

/** Ten thousand at once would keep the page from doing anything else for a third of a second, on a phone for longer. */
export const PACING: Pacing = { size: 250, pause: soon };

/** Shows what has come from elsewhere, such as the whole queue after a reload: in order, some in each task. */
export class Showing {
  readonly #ledger: Ledger;
  readonly #controller: Controller;
  readonly #pacing: Pacing;
  /** Those that wait to be shown, or to be shown otherwise. */
  readonly #arriving = new InOrder();
  /** What is still shown of those that are gone. */
  #gone: readonly Entry[] = [];
  #running: Promise<void> | undefined;

  constructor(ledger: Ledger, controller: Controller, pacing: Pacing) {
    this.#ledger = ledger;
    this.#controller = controller;
    this.#pacing = pacing;
  }

  /** Those that wait to be shown. */
  get arriving(): Iterable<Entry> {
    return this.#arriving;
  }

  /** This one is to be shown. Until it is, nobody sends it: what its answer makes would not be known for what it made. */
  add(entry: Entry): void {
    entry.isArriving = true;
    this.#arriving.add(entry);
  }

  /**
   * Shows the first of them at once, and the rest in tasks to come; settles when all are shown.
   *
   * @param gone - those that are no longer to be shown
   */
  async show(gone: readonly Entry[] = []): Promise<void> {
    this.#gone = [...this.#gone, ...gone];
    this.#showSome();
    if (this.#arriving.size > 0) await (this.#running ??= this.#showRest());
  }

  clear(): void {
    this.#arriving.clear();
    this.#gone = [];
  }

  async #showRest(): Promise<void> {
    try {
      while (this.#arriving.size > 0) {
        await this.#pacing.pause();
        this.#showSome();
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** As one change. */
  #showSome(): void {
    const gone = this.#gone;
    this.#gone = [];
    const { entries, mutations, name } = this.#ledger;
    const [first] = this.#arriving;
    if (first === undefined && gone.length === 0) return;
    const above = first === undefined ? [] : this.#above(first);
    this.#controller.batch(() => {
      mutations.commit({ origin: name, hidden: mutationsOf([...gone, ...above]) });
      for (const entry of above)
        if (entries.get(entry.key) === entry && !entry.isFailed && !entries.isHopeless(entry))
          this.#ledger.show(entry);
    });
  }

  /** The next to be shown, in order with what lies above them: that is shown again. They arrive no longer. */
  #above(first: Entry): readonly Entry[] {
    const { entries, shownThrough } = this.#ledger;
    const { order } = first.record;
    const later =
      order > shownThrough
        ? []
        : [...entries.all()].filter(({ isArriving, record }) => !isArriving && record.order >= order);
    const { size } = this.#pacing;
    // Where much lies above them, it would be shown again with each part of them.
    const arrived = this.#arriving.take(later.length > size ? Infinity : size);
    for (const entry of arrived) entry.isArriving = false;
    const all = new InOrder();
    for (const entry of [...arrived, ...later]) all.add(entry);
    return [...all];
  }
}

/** Lets go of the main thread, and resolves when whatever else was waiting for it has been done. */
function soon(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler }; // not in every browser, nor in every lib.dom
  return new Promise((resolve) => {
    if (scheduler === undefined) setTimeout(resolve, 0);
    else scheduler.postTask(resolve).catch(resolve);
  });
}

/** The part of the Prioritized Task Scheduling API that is used. */
interface Scheduler {
  postTask(task: () => void): Promise<unknown>;
}
