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
  readonly #view: ReadView;
  readonly #onLoss: (loss: number) => void;
  #last: Reading | undefined;
  #isMounted = false;
  /** Counts how often the data went away while it was shown. */
  #losses = 0;

  /** @param onLoss - a state setter, told the number of the loss */
  constructor(view: ReadView, onLoss: (loss: number) => void) {
    this.#view = view;
    this.#onLoss = onLoss;
  }

  /** Whether the component has been on screen with it. */
  get isMounted(): boolean {
    return this.#isMounted;
  }

  readonly getSnapshot = (): Reading => {
    const reading = this.#view.snapshot();
    if (reading.data !== MISSING || this.#last === undefined) this.#last = reading;
    return this.#last;
  };

  readonly subscribe = (onChange: () => void): (() => void) => {
    const check = (): void => {
      if (this.#isLost()) this.#onLoss((this.#losses += 1));
      else onChange();
    };
    const unsubscribe = this.#view.subscribe(check);
    this.#isMounted = true;
    // It may have gone away between the render and this effect.
    if (this.#isLost()) check();
    return unsubscribe;
  };

  /** What a render that knows of `loss` shows: the data, or the reading without data that it must wait or throw for. */
  read(loss: number): Reading {
    const shown = this.getSnapshot();
    return this.#isLost() && loss === this.#losses ? this.#view.snapshot() : shown;
  }

  #isLost(): boolean {
    return this.#last !== undefined && this.#last.data !== MISSING && this.#view.snapshot().data === MISSING;
  }
}
