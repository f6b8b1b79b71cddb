import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { Controller, type ControllerOptions } from '../controller/Controller.ts';
import { DataProvider } from '../react/DataProvider.tsx';
import type { Fixture } from './Fixture.ts';
import { mockRequests, type MockRequestsOptions } from './mockRequests.ts';
import { storeFixtures } from './storeFixtures.ts';

/** Props of `MockResolver`. */
export interface MockResolverProps extends MockRequestsOptions {
  readonly children?: ReactNode;
  /** What requests are answered with. May change; what was fetched already stays. */
  readonly fixtures?: readonly Fixture[];
  /** What is in the store from the start. */
  readonly initialFixtures?: readonly Fixture[];
  /** Options of the controller, such as further plugins. */
  readonly options?: ControllerOptions;
}

/**
 * A `DataProvider` without a network, for stories and tests: it has a controller of its own, whose requests are answered
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
  // The others may watch or change requests, so they are around this one, which ends them.
  const controller = new Controller({ ...options, plugins: [...(options.plugins ?? []), requests] });
  storeFixtures(controller, initialFixtures);
  return {
    controller,
    use(next: readonly Fixture[]): void {
      current = next;
    },
  };
}
