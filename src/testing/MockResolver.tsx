import { useRef, type ReactElement, type ReactNode } from 'react';
import { Controller, type ControllerOptions } from '../controller/Controller.ts';
import { DataProvider } from '../react/DataProvider.tsx';
import type { Fixture } from './Fixture.ts';
import { mockRequests, type MockRequestsOptions } from './mockRequests.ts';
import { storeFixtures } from './storeFixtures.ts';

/** Props of `MockResolver`. */
export interface MockResolverProps extends MockRequestsOptions {
  readonly children?: ReactNode;
  /** The responses to requests. May change; data that was fetched already stays. */
  readonly fixtures?: readonly Fixture[];
  /** The initial contents of the store. */
  readonly initialFixtures?: readonly Fixture[];
  /** Options of the controller, such as further plugins. */
  readonly options?: ControllerOptions;
}

/**
 * A `DataProvider` without a network, for stories and tests: it has its own controller, whose requests are answered
 * by fixtures.
 *
 * @example
 * const list = [{ id: 1, title: 'One' }];
 *
 * <MockResolver
 *   fixtures={[{ endpoint: ArticleResource.getList, response: list }]}
 * >
 *   <Articles />
 * </MockResolver>;
 */
export function MockResolver({ children, fixtures = [], ...rest }: MockResolverProps): ReactElement {
  const latest = useRef(fixtures);
  // oxlint-disable-next-line react/refs -- a component below that suspends sends its request before any effect
  latest.current = fixtures;
  // Created on mount: React discards the state of a component that has suspended before that, and would create another.
  return <DataProvider create={() => createMocked(() => latest.current, rest)}>{children}</DataProvider>;
}

function createMocked(
  fixtures: () => readonly Fixture[],
  { initialFixtures = [], options = {}, unhandled }: Omit<MockResolverProps, 'children' | 'fixtures'>,
): Controller {
  const requests = mockRequests(fixtures, unhandled === undefined ? {} : { unhandled });
  // Other plugins may watch or change requests, so they wrap this one, which answers them.
  const controller = new Controller({ ...options, plugins: [...(options.plugins ?? []), requests] });
  storeFixtures(controller, initialFixtures);
  return controller;
}
