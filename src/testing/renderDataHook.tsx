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
  /** The initial contents of the store. */
  readonly initialFixtures?: readonly Fixture[];
  /** The responses to requests. Without fixtures, requests go to the network (or to msw). */
  readonly resolverFixtures?: readonly Fixture[];
  /** Options of the controller, such as plugins or a clock. */
  readonly options?: ControllerOptions;
  /** Rendered around the hook, inside the provider. */
  readonly wrapper?: (props: { readonly children: ReactNode }) => ReactElement;
}

/** A rendered hook. */
export interface RenderedDataHook<Result, Props> {
  /** The last return value of the hook; `current` is null until it has rendered once without suspending. */
  readonly result: { readonly current: Result };
  readonly rerender: (props?: Props) => void;
  readonly unmount: () => void;
  /** The controller of its provider. */
  readonly controller: Controller;
  /** The error that the hook has thrown; undefined if there is none. */
  readonly error: Error | undefined;
}

/**
 * Renders a hook that reads or writes data, in a provider with fixtures. It is unmounted after the test, if the test
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
  const shown = new RenderedValue<{ readonly props: Props } | undefined>(undefined);
  const waker = new RenderedValue(0);
  function Provided(): ReactElement {
    const props = useRenderedValue(shown);
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
    useRenderedValue(waker);
    return null;
  }
  const unmount = mount(
    <>
      <Provided />
      <Waker />
    </>,
  );
  let given = initialProps as Props; // undefined for a hook without props
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
 * A value that one component shows. React applies changes of an external store synchronously, inside and outside of
 * `act`.
 *
 * With `renderHook`, a hook that suspends by `use()` never resolves: in an `act` that is not awaited, React leaves
 * the unfinished render in a queue that is never processed. So the hook is rendered synchronously, which shows the
 * fallback, and a further update outside of `act` makes React schedule the retry.
 */
class RenderedValue<Value> {
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

function useRenderedValue<Value>({ subscribe, get }: RenderedValue<Value>): Value {
  return useSyncExternalStore(subscribe, get, get);
}

/** The functions that unmount the rendered hooks. */
const mounted = new Set<() => void>();

/** Renders into an element of its own. Returns the unmount function. */
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

// Hooks would otherwise fetch and poll after the end of their test.
const { afterEach } = globalThis as { readonly afterEach?: (run: () => void) => void }; // that of a test runner
afterEach?.(() => mounted.forEach((unmount) => unmount()));

/** Absent in React 18.2 and in production builds. */
const { act } = React as { readonly act?: (run: () => void) => void };

/** Updates React and waits for all immediate effects. */
function inAct(update: () => void): void {
  if (act === undefined) inActEnvironment(false, () => flushSync(update));
  else inActEnvironment(true, () => act(update));
}
