import { deletedValue } from '../endpoint/rest/deletedValue.ts';
import type { EndpointArgs, EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { stableJson } from '../endpoint/stableJson.ts';

/**
 * The response to a request in a test or a story, in place of the network.
 *
 * @example
 * const { get, create } = ArticleResource;
 * const fixtures: Fixture[] = [
 *   { endpoint: get, args: [{ id: 5 }], response: { id: 5, title: 'Five' } },
 *   { endpoint: get, args: [{ id: 6 }], error: new Error('Gone') },
 *   {
 *     endpoint: create,
 *     response: (body: object) => ({ id: 7, ...body }),
 *     delay: 100,
 *   },
 * ];
 */
export interface Fixture<E extends EndpointInterface = EndpointInterface> {
  readonly endpoint: E;
  /** The args of the call that it answers. Without them it answers every call of the endpoint. */
  readonly args?: Readonly<EndpointArgs<E>>;
  /**
   * The value that the endpoint resolves with; or a function of the call's args that returns it, or a promise of it.
   */
  readonly response?: unknown;
  /** The value that the endpoint rejects with, in place of a response; or true if `response` is the rejection. */
  readonly error?: unknown;
  /** How long the response takes, in ms, or a function of the call's args that returns it. Default: 0. */
  readonly delay?: number | ((...args: never) => number);
  /**
   * Whether a function for `response` runs after the delay. Default: at once, as for a server that is slow to answer.
   */
  readonly delayCollapse?: boolean;
}

/** The fixture for a call: the last one that matches, so that later ones replace earlier ones. */
export function findFixture(
  fixtures: readonly Fixture[],
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Fixture | undefined {
  const key = endpoint.key(...args);
  return fixtures.findLast((fixture) =>
    fixture.args === undefined
      ? isSameEndpoint(fixture.endpoint, endpoint, key)
      : fixture.endpoint.key(...fixture.args) === key &&
        // The key of a mutation does not include its body.
        (endpoint.sideEffect !== true || stableJson(fixture.args) === stableJson(args)),
  );
}

/** The response of a call. */
export async function answer(fixture: Fixture, args: readonly unknown[]): Promise<unknown> {
  const { delay, delayCollapse = false } = fixture;
  const made = delayCollapse ? undefined : outcome(fixture, args);
  // Until the delay is over, nothing handles its rejection.
  made?.catch(() => undefined);
  const wait =
    typeof delay === 'function' ? (delay as (...args: readonly unknown[]) => number)(...args) : delay; // written for the endpoint's args
  if (wait !== undefined) await new Promise((resolve) => setTimeout(resolve, wait));
  return made ?? outcome(fixture, args);
}

async function outcome(fixture: Fixture, args: readonly unknown[]): Promise<unknown> {
  const error = errorOf(fixture, args);
  // oxlint-disable-next-line typescript/only-throw-error -- an endpoint may reject with any value
  if (error !== undefined) throw error;
  // As with a server, the params stand in for the response of a DELETE that does not identify the entity.
  return deletedValue(fixture.endpoint.schema, await responseOf(fixture.response, args), args);
}

/** The rejection of a fixture; undefined if it has none. */
export function errorOf({ error, response }: Fixture, args: readonly unknown[]): unknown {
  if (error === false) return undefined;
  return error === true ? responseOf(response, args) : error;
}

/** A response, or the result of the function that stands for it. */
export function responseOf(response: unknown, args: readonly unknown[]): unknown {
  if (typeof response !== 'function') return response;
  return (response as (...args: readonly unknown[]) => unknown)(...args); // written for the endpoint's args
}

/** An endpoint created from the other by `extend` or a hook is the same endpoint, if its keys are. */
function isSameEndpoint(expected: EndpointInterface, endpoint: EndpointInterface, key: string): boolean {
  return expected === endpoint || (expected.name === endpoint.name && expected.testKey(key));
}
