import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
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
  const [mock] = useState(() => mocked(fixtures, rest));
  useEffect(() => mock.use(fixtures), [mock, fixtures]);
  return <DataProvider controller={mock.controller}>{children}</DataProvider>;
}

function mocked(
  fixtures: readonly Fixture[],
  { initialFixtures = [], options = {}, unhandled }: Omit<MockResolverProps, 'children' | 'fixtures'>,
) {
  let current = fixtures;
  const requests = mockRequests(() => current, unhandled === undefined ? {} : { unhandled });
  // Other plugins may watch or change requests, so they wrap this one, which answers them.
  const controller = new Controller({ ...options, plugins: [...(options.plugins ?? []), requests] });
  storeFixtures(controller, initialFixtures);
  return {
    controller,
    use(next: readonly Fixture[]): void {
      current = next;
    },
  };
}
