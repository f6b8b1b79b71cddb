import type { Plugin } from '../controller/Controller.ts';
import { untilAborted } from '../controller/requests/Fetcher.ts';
import { answer, findFixture, type Fixture } from './Fixture.ts';

/** Options of `mockRequests`. */
export interface MockRequestsOptions {
  /** What to do with a request without a fixture: fail it (default), or send it to the network. */
  readonly unhandled?: 'fail' | 'fetch';
}

/**
 * A plugin that answers requests from fixtures: everything else, from keys to rows, works as with a real server.
 *
 * @param fixtures - a list, or a function that returns the current one
 * @example
 * const fixture = { endpoint: getPrice, response: { symbol, amount: 12 } };
 * const controller = new Controller({ plugins: [mockRequests([fixture])] });
 */
export function mockRequests(
  fixtures: readonly Fixture[] | (() => readonly Fixture[]),
  { unhandled = 'fail' }: MockRequestsOptions = {},
): Plugin {
  return {
    name: 'mockRequests',
    async request(request, next) {
      const { endpoint, args, key } = request;
      const list = typeof fixtures === 'function' ? fixtures() : fixtures;
      const found = findFixture(list, endpoint, args);
      if (found !== undefined) return untilAborted(answer(found, args), endpoint.signal);
      if (unhandled === 'fetch') return next(request);
      throw new Error(`No fixture answers ${endpoint.name} (${key}); add one, or set unhandled: 'fetch'`);
    },
  };
}
