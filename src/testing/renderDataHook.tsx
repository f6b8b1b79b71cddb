import * as React from 'react';
import {
  Suspense,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Controller, type ControllerOptions } from '../controller/Controller.ts';
import { DataProvider } from '../react/DataProvider.tsx';
import { ErrorBoundary } from '../react/ErrorBoundary.tsx';
import { inActEnvironment } from './actEnvironment.ts';
import type { Fixture } from './Fixture.ts';
import { mockRequests, type MockRequestsOptions } from './mockRequests.ts';
import { storeFixtures } from './storeFixtures.ts';

/** Options of `renderDataHook`. */
export interface RenderDataHookOptions<Props> extends MockRequestsOptions {
  readonly initialProps?: Props;
  /** What is in the store from the start. */
  readonly initialFixtures?: readonly Fixture[];
  /** What requests are answered with. Without any, requests go to the network (or to msw). */
  readonly resolverFixtures?: readonly Fixture[];
  /** Options of the controller, such as plugins or a clock. */
  readonly options?: ControllerOptions;
  /** Rendered around the hook, inside the provider. */
  readonly wrapper?: (props: { readonly children: ReactNode }) => ReactElement;
}

/** A rendered hook. */
export interface RenderedDataHook<Result, Props> {
  /** What the hook has returned last; `current` is null until it has rendered once without suspending. */
  readonly result: { readonly current: Result };
  readonly rerender: (props?: Props) => void;
  readonly unmount: () => void;
  /** The controller of its provider. */
  readonly controller: Controller;
  /** What the hook has thrown; undefined while it works. */
  readonly error: Error | undefined;
}

/**
 * Renders a hook that reads or writes data, in a provider with fixtures. It is unmounted after the test, where the test
 * runner has a global `afterEach`. Needs a DOM and `react-dom`.
 *
 * @example
 * const { result } = renderDataHook(
 *   () => useSuspense(ArticleResource.get, { id: 5 }),
 *   {
 *     resolverFixtures: [
 *       { endpoint: ArticleResource.get, response: { id: 5, title: 'Five' } },
 *     ],
 *   },
 * );
 * await waitFor(() => expect(result.current?.title).toBe('Five'));
 */
export function renderDataHook<Result, Props = undefined>(
  callback: (props: Props) => Result,
  settings: RenderDataHookOptions<Props> = {},
): RenderedDataHook<Result, Props> {
  const {
    initialProps,
    initialFixtures = [],
    resolverFixtures,
    options = {},
    wrapper: Wrapper,
    unhandled,
  } = settings;
  const plugins = [...(options.plugins ?? [])];
  if (resolverFixtures !== undefined)
    plugins.push(mockRequests(resolverFixtures, unhandled === undefined ? {} : { unhandled }));
  const controller = new Controller({ ...options, plugins });
  storeFixtures(controller, initialFixtures);

  let failure: Error | undefined;
  function Failure({ error }: { readonly error: Error }): null {
    useLayoutEffect(() => {
      failure = error;
      return () => {
        failure = undefined;
      };
    }, [error]);
    return null;
  }
  const result = { current: null as Result }; // as it says: null until the hook has rendered
  function Hook({ props }: { readonly props: Props }): null {
    const current = callback(props);
    useEffect(() => {
      result.current = current;
    });
    return null;
  }
  const shown = new Shown<{ readonly props: Props } | undefined>(undefined);
  const waker = new Shown(0);
  function Provided(): ReactElement {
    const props = useShown(shown);
    const hook = props && <Hook {...props} />;
    return (
      <DataProvider controller={controller}>
        <ErrorBoundary fallbackComponent={Failure}>
          <Suspense fallback={null}>{Wrapper === undefined ? hook : <Wrapper>{hook}</Wrapper>}</Suspense>
        </ErrorBoundary>
      </DataProvider>
    );
  }
  function Waker(): null {
    useShown(waker);
    return null;
  }
  const unmount = mount(
    <>
      <Provided />
      <Waker />
    </>,
  );
  let given = initialProps as Props; // undefined where the hook takes none
  const rerender = (props: Props = given): void => {
    given = props;
    inAct(() => shown.set({ props }));
    inActEnvironment(false, () => waker.set(waker.value + 1));
  };
  rerender();
  return {
    result,
    rerender,
    unmount,
    controller,
    get error() {
      return failure;
    },
  };
}

/**
 * A value that one component shows. React renders a change of an external store at once, inside `act` and out of it.
 *
 * With `renderHook`, a hook that suspends by `use()` never resolves: in an `act` that is not awaited, React leaves the
 * unfinished render in a queue that nobody works off. So the hook is rendered at once, which shows the fallback, and a
 * further update outside of `act` has React schedule the retry.
 */
class Shown<Value> {
  value: Value;
  #changed: () => void = () => undefined;

  constructor(value: Value) {
    this.value = value;
  }

  set(value: Value): void {
    this.value = value;
    this.#changed();
  }

  readonly get = (): Value => this.value;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#changed = changed;
    return () => {
      this.#changed = () => undefined;
    };
  };
}

function useShown<Value>({ subscribe, get }: Shown<Value>): Value {
  return useSyncExternalStore(subscribe, get, get);
}

/** What unmounts each hook that is rendered now. */
const mounted = new Set<() => void>();

/** Renders into a page's own element. Gives what removes it. */
function mount(element: ReactElement): () => void {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  inAct(() => root.render(element));
  const unmount = (): void => {
    if (!mounted.delete(unmount)) return;
    inAct(() => root.unmount());
    container.remove();
  };
  mounted.add(unmount);
  return unmount;
}

// Where a test ends, its hooks would otherwise fetch and poll on in the next.
const { afterEach } = globalThis as { readonly afterEach?: (run: () => void) => void }; // that of a test runner
afterEach?.(() => mounted.forEach((unmount) => unmount()));

/** Absent in React 18.2 and in production builds. */
const { act } = React as { readonly act?: (run: () => void) => void };

/** Updates React and waits for all that comes of it at once. */
function inAct(update: () => void): void {
  if (act === undefined) inActEnvironment(false, () => flushSync(update));
  else inActEnvironment(true, () => act(update));
}
