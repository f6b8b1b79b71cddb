import type { Reading } from '../controller/reading.ts';
import type { ReadView } from '../controller/ReadView.ts';
import { MISSING } from '../schema/missing.ts';

/**
 * What one mounted component shows of a read.
 *
 * React takes changes of an external store at once, even inside a transition. From data to data that is right. From
 * data to nothing it would show the fallback where a transition should keep the old screen; so here a loss is told
 * by a state update, which belongs to the transition it is made in, and until the component has rendered that update
 * its snapshot stays what it last was.
 */
export class ShownReading {
  readonly view: ReadView;
  readonly #onLoss: (loss: number) => void;
  #last: Reading | undefined;
  #isMounted = false;
  #isServed = false;
  /** Counts how often the data went away while it was shown. */
  #losses = 0;

  /** @param onLoss - a state setter, told the number of the loss */
  constructor(view: ReadView, onLoss: (loss: number) => void) {
    this.view = view;
    this.#onLoss = onLoss;
  }

  /** Whether it is on screen with data: by the component, or by the server whose page it hydrates. */
  get isOnScreen(): boolean {
    return this.#isMounted || this.#isServed;
  }

  readonly getSnapshot = (): Reading => {
    const reading = this.view.snapshot();
    const last = this.#last;
    const isLoss = reading.data === MISSING && last !== undefined && last.data !== MISSING;
    return isLoss ? last : (this.#last = reading);
  };

  /** Gives what React reads while it hydrates, and on the server. */
  get getServerSnapshot(): () => Reading {
    return this.view.isHydrating ? () => this.#getServed() : this.getSnapshot;
  }

  /** Begins to show it, when React mounts it or its args have changed: then it also loads what is missing or stale. */
  readonly subscribe = (onChange: () => void): (() => void) => {
    const check = (): void => {
      if (this.#isLost()) this.#onLoss((this.#losses += 1));
      else onChange();
    };
    const unsubscribe = this.view.subscribe(check);
    this.#isMounted = true;
    // It may have gone away between the render and this effect.
    if (this.#isLost()) check();
    // A read that fails keeps its error in the store, where the next render finds it.
    if (this.view.wantsLoad) this.view.load().catch(() => undefined);
    this.view.shown();
    return unsubscribe;
  };

  /**
   * What a render that knows of `loss` shows: the data, or the reading without data that it must wait or throw for.
   *
   * @param shown - what React read for this render
   */
  read(loss: number, shown: Reading): Reading {
    const isToldOf = this.#isMounted && loss === this.#losses;
    return isToldOf && this.#isLost() ? this.view.snapshot() : shown;
  }

  #getServed(): Reading {
    const served = this.view.serverSnapshot();
    // The server has shown something here, or nothing would be hydrated: the best guess is what there is now.
    if (served.data === MISSING) return this.getSnapshot();
    this.#isServed = true;
    return (this.#last = served);
  }

  #isLost(): boolean {
    return this.#last !== undefined && this.#last.data !== MISSING && this.view.snapshot().data === MISSING;
  }
}
