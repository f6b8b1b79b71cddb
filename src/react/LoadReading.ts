import type { Reading } from '../controller/reading.ts';
import type { ReadView } from '../controller/ReadView.ts';
import { MISSING } from '../schema/missing.ts';

/** What `useDLE` gives, before types. */
export interface LoadState {
  readonly data: unknown;
  readonly loading: boolean;
  readonly error: unknown;
  readonly refreshing: boolean;
}

/** Of a read with null args. */
export const NO_READ: LoadState = { data: undefined, loading: false, error: undefined, refreshing: false };

const LOADING: LoadState = { data: undefined, loading: true, error: undefined, refreshing: false };

/** What one component shows of a read that it does not wait for: the same object while nothing in it changes. */
export class LoadReading {
  readonly #view: ReadView;
  #last: LoadState = NO_READ;
  #isMounted = false;
  /** Whether it has shown data, which then does not go away for having become stale. */
  #hasShown = false;

  constructor(view: ReadView) {
    this.#view = view;
  }

  readonly getSnapshot = (): LoadState => this.#state(this.#view.snapshot());

  /**
   * What React reads while it hydrates, and on the server: the same on both sides, whatever has become stale or is
   * under way by then. Errors stay on the server, so there they are shown as loading: the page tries itself.
   */
  readonly getServerSnapshot = (): LoadState => {
    const { data } = this.#view.serverSnapshot();
    if (data === MISSING) return this.#keep(LOADING);
    this.#hasShown = true;
    return this.#keep({ data, loading: false, error: undefined, refreshing: false });
  };

  readonly subscribe = (onChange: () => void): (() => void) => {
    const check = (): void => {
      const { data, error } = this.#view.snapshot();
      // An answer that was dropped leaves nothing to show and nothing under way: the next render asks again.
      if (data === MISSING && error === undefined && !this.#view.isLoading) this.#last = NO_READ;
      onChange();
    };
    const stops = [this.#view.subscribe(check), this.#view.watchLoading(check)];
    return () => {
      for (const stop of stops) stop();
    };
  };

  /** Begins to show it: loads where a mount should. Returns how to end that. */
  mount(): () => void {
    this.loadWanted();
    this.#isMounted = true;
    return () => {
      this.#isMounted = this.#hasShown = false;
    };
  }

  /** Asks for it where it is missing or stale. */
  loadWanted(): void {
    if (this.#view.wantsLoad) this.load();
  }

  /** Asks for it, unless somebody has already. */
  readonly load = (): void => {
    // A read that fails keeps its error in the store, where it is found.
    this.#view.load().catch(() => undefined);
  };

  #state({ data, error }: Reading): LoadState {
    const view = this.#view;
    // Before it is mounted, it tells what mounting it will do.
    const isUnderWay = view.isLoading || (!this.#isMounted && view.wantsLoad);
    if (data !== MISSING && (this.#hasShown || view.isShowable || !isUnderWay)) {
      this.#hasShown = true;
      return this.#keep({ data, loading: false, error: undefined, refreshing: isUnderWay });
    }
    const loading = error === undefined || isUnderWay;
    return this.#keep({ data: undefined, loading, error: loading ? undefined : error, refreshing: false });
  }

  #keep(next: LoadState): LoadState {
    const last = this.#last;
    const isSame =
      Object.is(last.data, next.data) &&
      last.loading === next.loading &&
      last.error === next.error &&
      last.refreshing === next.refreshing;
    return isSame ? last : (this.#last = next);
  }
}
