import type { ReadResult } from '../../controller/reads/readResult.ts';
import type { ReadView } from '../../controller/reads/ReadView.ts';
import { MISSING } from '../../schema/missing.ts';

/** The result of `useDLE`, before types. */
export interface ReadStatus {
  readonly data: unknown;
  readonly loading: boolean;
  readonly error: unknown;
  readonly refreshing: boolean;
}

/** For a read with null args. */
export const NO_READ: ReadStatus = { data: undefined, loading: false, error: undefined, refreshing: false };

const LOADING: ReadStatus = { data: undefined, loading: true, error: undefined, refreshing: false };

/** The observer that a component has mounted last. Each read, and each endpoint object, has one of its own. */
interface MountedObserver {
  current: StatusObserver | undefined;
}

/** A component's state of a read that it does not suspend for: the same object while nothing in it changes. */
export class StatusObserver {
  readonly #view: ReadView;
  readonly #mounted: MountedObserver;
  #last: ReadStatus = NO_READ;
  #isMounted: boolean;
  /** Whether it shows data, which then stays visible when it becomes stale. */
  #hasRendered: boolean;

  constructor(view: ReadView, mounted: MountedObserver) {
    this.#view = view;
    this.#mounted = mounted;
    const { current } = mounted;
    const isReplacement = current !== undefined && current.#view.isSameRead(view);
    this.#isMounted = isReplacement && current.#isMounted;
    this.#hasRendered = isReplacement && current.#hasRendered;
  }

  get key(): string {
    return this.#view.key;
  }

  readonly getSnapshot = (): ReadStatus => this.#state(this.#view.snapshot());

  /**
   * The snapshot for hydration and for the server: the same on both sides, whatever has become stale or pending by
   * then. Errors stay on the server; they are shown as loading, and the page fetches itself.
   */
  readonly getServerSnapshot = (): ReadStatus => {
    const { data } = this.#view.serverSnapshot();
    if (data === MISSING) return this.#keep(LOADING);
    this.#hasRendered = true;
    return this.#keep({ data, loading: false, error: undefined, refreshing: false });
  };

  readonly subscribe = (onChange: () => void): (() => void) => {
    const check = (): void => {
      // A discarded response leaves neither data nor a pending request: the next render fetches again.
      if (this.#last.loading && !this.#view.isLoading) this.#last = NO_READ;
      onChange();
    };
    return this.#view.subscribe(check, true);
  };

  /** Call on mount, after `loadIfNeeded`. Returns the cleanup function. */
  mount(): () => void {
    this.#mounted.current = this;
    this.#isMounted = true;
    this.#hasRendered = !this.#last.loading && this.#last.error === undefined;
    return () => {
      this.#isMounted = this.#hasRendered = false;
    };
  }

  /** Fetches data that is missing or stale. */
  loadIfNeeded(): void {
    if (this.#view.shouldLoad) this.load();
  }

  /** Fetches the data, unless that has happened already. */
  readonly load = (): void => {
    void this.#view.load();
  };

  #state({ data, error }: ReadResult): ReadStatus {
    const view = this.#view;
    // Before mounting, this reports what mounting will do.
    const isUnderWay = view.isLoading || (!this.#isMounted && view.shouldLoad);
    if (data !== MISSING && (this.#hasRendered || view.canRender || !isUnderWay)) {
      // React also renders what a hidden Activity contains: that shows nothing.
      if (this.#isMounted) this.#hasRendered = true;
      return this.#keep({ data, loading: false, error: undefined, refreshing: isUnderWay });
    }
    const loading = error === undefined || isUnderWay;
    return this.#keep({ data: undefined, loading, error: loading ? undefined : error, refreshing: false });
  }

  #keep(next: ReadStatus): ReadStatus {
    const last = this.#last;
    const isSame =
      Object.is(last.data, next.data) &&
      last.loading === next.loading &&
      last.error === next.error &&
      last.refreshing === next.refreshing;
    return isSame ? last : (this.#last = next);
  }
}
