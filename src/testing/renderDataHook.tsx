import { act, render } from '@testing-library/react';
import {
  Suspense,
  useEffect,
  useLayoutEffect,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import { Controller, type ControllerOptions } from '../controller/Controller.ts';
import { DataProvider } from '../react/DataProvider.tsx';
import { ErrorBoundary } from '../react/ErrorBoundary.tsx';
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
 * Renders a hook that reads or writes data, in a provider with fixtures. Needs `@testing-library/react`.
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
  const { unmount } = render(
    <>
      <Provided />
      <Waker />
    </>,
  );
  let given = initialProps as Props; // undefined where the hook takes none
  const rerender = (props: Props = given): void => {
    given = props;
    act(() => shown.set({ props }));
    outsideAct(() => waker.set(waker.value + 1));
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

/** Updates React as an app does: in tests, it warns of updates that are not inside of `act`. */
function outsideAct(update: () => void): void {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined }; // where React looks
  const { IS_REACT_ACT_ENVIRONMENT } = environment;
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  update();
  environment.IS_REACT_ACT_ENVIRONMENT = IS_REACT_ACT_ENVIRONMENT;
}
