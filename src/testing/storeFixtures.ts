import type { Controller } from '../controller/Controller.ts';
import { errorOf, responseOf, type Fixture } from './Fixture.ts';

/**
 * Writes fixtures to the store as if they had just been fetched: mounted reads find them without a request.
 *
 * @throws Error if a fixture has no args, since they determine the result's key
 * @example
 * const { get } = ArticleResource;
 * const response = { id: 5, title: 'Five' };
 * storeFixtures(controller, [{ endpoint: get, args: [{ id: 5 }], response }]);
 */
export function storeFixtures(controller: Controller, fixtures: readonly Fixture[]): void {
  controller.batch(() => {
    for (const fixture of fixtures) {
      const { endpoint, args, response } = fixture;
      if (args === undefined)
        throw new Error(`A fixture of ${endpoint.name} has no args; set those of the call`);
      const error = errorOf(fixture, args);
      if (error !== undefined) controller.setError(endpoint, ...args, error);
      else controller.setResponse(endpoint, ...args, responseOf(response, args));
    }
  });
}
