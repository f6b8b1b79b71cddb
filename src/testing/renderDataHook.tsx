import { renderHook } from '@testing-library/react';
import { Suspense, type ReactElement, type ReactNode } from 'react';
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
    failure = error;
    return null;
  }
  function Provided({ children }: { readonly children: ReactNode }): ReactElement {
    failure = undefined;
    return (
      <DataProvider controller={controller}>
        <ErrorBoundary fallbackComponent={Failure}>
          <Suspense fallback={null}>
            {Wrapper === undefined ? children : <Wrapper>{children}</Wrapper>}
          </Suspense>
        </ErrorBoundary>
      </DataProvider>
    );
  }
  const { result, rerender, unmount } = renderHook(callback, {
    wrapper: Provided,
    ...(initialProps !== undefined && { initialProps }),
  });
  return {
    result,
    rerender: (props) => rerender(props ?? undefined),
    unmount,
    controller,
    get error() {
      return failure;
    },
  };
}
