import type { AsyncFunction } from '../endpointTypes.ts';
import { headersObject, mergeRequestInit } from '../http/requestInit.ts';
import { stableJson } from '../stableJson.ts';

/** A resource whose endpoints are hooks: `useGet` for `get`, and so on for each of its endpoints. */
export type HookedResource<R> = {
  readonly [K in keyof R & string as R[K] extends Extendable ? `use${Capitalize<K>}` : never]: () => R[K];
};

/** An endpoint of a resource. */
interface Extendable extends AsyncFunction {
  readonly key: unknown;
  readonly extend: unknown;
  readonly requestInit?: RequestInit | undefined;
}

/**
 * Turns each endpoint of a resource into a hook that returns the endpoint, with request options of your own hook
 * merged in: a token from a context, for example. The endpoints' keys stay the same.
 *
 * @param useInit - called as a hook; its headers are merged with the endpoint's own. Undefined adds nothing. Default:
 * none
 * @example
 * const ArticleHooks = hookifyResource(ArticleResource, () => ({
 *   headers: { 'Access-Token': useSession().token },
 * }));
 * const getArticle = ArticleHooks.useGet();
 * const article = useSuspense(getArticle, { id });
 */
export function hookifyResource<R extends object>(
  resource: R,
  useInit: () => RequestInit | undefined = () => undefined,
): HookedResource<R> {
  const hooks: Record<string, () => unknown> = {};
  for (const [name, member] of Object.entries(resource) as [string, unknown][]) {
    if (!isEndpoint(member)) continue;
    const withInit = remember(member);
    hooks[`use${name.charAt(0).toUpperCase()}${name.slice(1)}`] = function useEndpoint() {
      return withInit(useInit());
    };
  }
  return hooks as HookedResource<R>; // one hook for each endpoint, as the type says
}

/** The number of endpoints cached for one hook: components below different providers may have different options. */
const MAX_ENDPOINTS = 10;

/** Extends an endpoint by request options: the same one while the options are equal, so that memos stay valid. */
function remember(endpoint: Extendable): (init?: RequestInit) => unknown {
  const recent: { readonly init: RequestInit; readonly extended: object }[] = [];
  const extend = endpoint.extend as (options: object) => object; // of an endpoint
  return (init = {}) => {
    const known = recent.find((one) => isEqual(one.init, init));
    if (known !== undefined) return known.extended;
    const requestInit = mergeRequestInit(endpoint.requestInit, init);
    const extended = extend.call(endpoint, { requestInit });
    if (process.env.NODE_ENV !== 'production') Object.defineProperty(extended, HOOKED, { value: true });
    // A copy: the hook may change its object and return it again.
    recent.unshift({ init: { ...init, headers: headersObject(init.headers) }, extended });
    if (recent.length > MAX_ENDPOINTS) recent.pop();
    return extended;
  };
}

const HOOKED = /* @__PURE__ */ Symbol('hooked');

/** Whether an endpoint comes from a hook of `hookifyResource`; recorded in development only. */
export function isHooked(endpoint: object): boolean {
  return HOOKED in endpoint;
}

function isEqual(left: RequestInit, right: RequestInit): boolean {
  const { headers: leftHeaders, ...leftRest } = left;
  const { headers: rightHeaders, ...rightRest } = right;
  const names = Object.keys(leftRest);
  return (
    names.length === Object.keys(rightRest).length &&
    names.every((name) =>
      Object.is(leftRest[name as keyof typeof leftRest], rightRest[name as keyof typeof rightRest]),
    ) && // its own names
    stableJson(headersObject(leftHeaders)) === stableJson(headersObject(rightHeaders))
  );
}

function isEndpoint(member: unknown): member is Extendable {
  return typeof member === 'function' && 'key' in member && 'extend' in member;
}
