import { useState, useSyncExternalStore } from 'react';
import type { Controller } from '../../controller/Controller.ts';
import type { ReadResult } from '../../controller/reads/readResult.ts';
import type { ReadView } from '../../controller/reads/ReadView.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { MISSING } from '../../schema/missing.ts';
import { useController } from '../useController.ts';
import { useReadKey } from './useReadView.ts';

const nothing = (): undefined => undefined;
const subscribeToNothing = (): typeof nothing => nothing;

/** The result of a read for this render. With neither data nor error, suspend for `view.loadForSuspense()`. */
export interface SuspenseSnapshot extends ReadResult {
  readonly view: ReadView;
}

/** What the observers of one component share: it has another one for each key, and for each endpoint. */
interface Component {
  /** The observer that was subscribed last. */
  observer: SuspenseObserver | undefined;
}

/** The state of a component: another object after each loss of data. */
interface ComponentState {
  readonly component: Component;
  /** What is left after the loss. */
  readonly result?: ReadResult;
}

/**
 * The common part of `useSuspense` and `useFetch`: renders again when the data changes or is removed, and fetches
 * stale data in the background on mount and on changed args. Undefined for null args.
 */
export function useSuspenseObserver(
  endpoint: EndpointInterface,
  args: readonly unknown[],
): SuspenseSnapshot | undefined {
  const controller = useController();
  const [state, setState] = useState(initialState);
  const key = useReadKey(endpoint, args);
  const { component } = state;
  const subscribed = component.observer;
  let observer: SuspenseObserver | undefined;
  // A `useMemo` would keep the same observer, with a hook and its dependencies for each component.
  if (key !== undefined)
    observer =
      subscribed?.observes(controller, endpoint, key) === true
        ? subscribed
        : new SuspenseObserver(
            controller,
            endpoint,
            controller.view(endpoint, args, key),
            component,
            setState,
          );
  const result = useSyncExternalStore(
    observer?.subscribe ?? (subscribed === undefined ? subscribeToNothing : leaving(component)),
    observer?.getSnapshot ?? nothing,
    observer?.getServerSnapshot ?? nothing,
  );
  return result === undefined ? undefined : observer?.read(state, result);
}

/** For a component that showed a read before: if it returns to that, it is mounted again. */
function leaving(component: Component): typeof subscribeToNothing {
  return () => {
    component.observer = undefined;
    return nothing;
  };
}

function initialState(): ComponentState {
  return { component: { observer: undefined } };
}

/**
 * The data of a read that one mounted component shows.
 *
 * React applies changes of an external store synchronously, even inside a transition. That is right for a change of
 * data. But when data is removed, it would show the fallback where a transition should keep the old screen. So a
 * removal is reported by a state update, which belongs to the current transition, and until the component has
 * rendered that update its snapshot stays unchanged.
 */
export class SuspenseObserver {
  readonly #controller: Controller;
  /** As given: `bind` makes the view's from another one. */
  readonly #endpoint: EndpointInterface;
  readonly #view: ReadView;
  readonly #component: Component;
  readonly #setState: (state: ComponentState) => void;
  /** Whether it takes the place of an observer of the same read, which is on screen. */
  readonly #isReplacement: boolean;
  #last: ReadResult | undefined;
  /** Whether the snapshot is that of before a loss of data. */
  #isLost = false;
  /** Whether the component, or the server's HTML, shows it: then it stays visible when it becomes stale. */
  #isOnScreen: boolean;
  /** The state that the last loss of data has set. */
  #loss: ComponentState | undefined;

  constructor(
    controller: Controller,
    endpoint: EndpointInterface,
    view: ReadView,
    component: Component,
    setState: (state: ComponentState) => void,
  ) {
    this.#controller = controller;
    this.#endpoint = endpoint;
    this.#view = view;
    this.#component = component;
    this.#setState = setState;
    const { observer } = component;
    this.#isOnScreen = this.#isReplacement =
      observer !== undefined && observer.#isOnScreen && observer.#view.isSameRead(view);
  }

  /** Whether this is the observer of a read. */
  observes(controller: Controller, endpoint: EndpointInterface, key: string): boolean {
    return this.#view.key === key && this.#endpoint === endpoint && this.#controller === controller;
  }

  readonly getSnapshot = (): ReadResult => {
    const result = this.#view.snapshot();
    const last = this.#last;
    const isLoss = result.data === MISSING && last !== undefined && last.data !== MISSING;
    this.#isLost = isLoss;
    return isLoss ? last : (this.#last = result);
  };

  /** The snapshot for hydration and for the server. */
  get getServerSnapshot(): () => ReadResult {
    return this.#view.isHydrating ? this.#getServerResult.bind(this) : this.getSnapshot;
  }

  /** Call on mount and when the args change: fetches data that is missing or stale. */
  readonly subscribe = (onChange: () => void): (() => void) => {
    const view = this.#view;
    const check = (): void => {
      // First, since it lets a render throw what reading the data throws.
      onChange();
      this.#reportLoss();
    };
    view.observe(check);
    this.#isOnScreen = true;
    // The data may have been removed between the render and this effect.
    this.getSnapshot();
    this.#reportLoss();
    // An endpoint that is created at each render is no reason to fetch; a component that is shown again is one.
    const isSameRead = this.#isReplacement && this.#component.observer !== this;
    this.#component.observer = this;
    if (!isSameRead && view.shouldLoad) void view.load();
    view.markRendered();
    return () => {
      view.unobserve(check);
      // Hidden content is shown again like a new mount.
      this.#isOnScreen = false;
      this.#last = undefined;
    };
  };

  /**
   * The result for a render with this state, which it has once it knows of the loss that has set it.
   *
   * @param result - the snapshot that React read for this render
   */
  read(state: ComponentState, result: ReadResult): SuspenseSnapshot {
    const view = this.#view;
    // Hidden content, which React may render, is not notified, but has no screen to keep either.
    const isNotified = !this.#isOnScreen || (this.#loss ?? state) === state;
    const { data, error } = isNotified && this.#isLost ? view.snapshot() : result;
    if (data !== MISSING && (this.#isOnScreen || view.canRender)) return { view, data, error: undefined };
    const isThrown = error !== undefined && (this.#isOnScreen || view.error !== undefined);
    return { view, data: MISSING, error: isThrown ? error : undefined };
  }

  #getServerResult(): ReadResult {
    const served = this.#view.serverSnapshot();
    // The server has rendered data here, or there would be nothing to hydrate: the current data is the best guess.
    if (served.data === MISSING) return this.getSnapshot();
    this.#isOnScreen = true;
    return (this.#last = served);
  }

  #reportLoss(): void {
    if (!this.#isLost) return;
    const result = this.#view.snapshot();
    // While it loads, the loss has been reported: perhaps in a transition, which keeps the screen.
    if (this.#loss?.result === result && this.#view.isLoading) return;
    this.#setState((this.#loss = { component: this.#component, result }));
  }
}
