import type { ReadArgs } from '../controller/verbTypes.ts';
import type {
  EndpointArgs,
  EndpointData,
  EndpointInterface,
  NoMutation,
} from '../endpoint/EndpointInterface.ts';
import { useSubscription } from './useSubscription.ts';
import { useSuspense } from './useSuspense.ts';

/**
 * `useSuspense` and `useSubscription` in one hook: suspends until there is data, then follows the server.
 *
 * @throws the error of the request, for the nearest error boundary
 * @example
 * const price = useLive(getPrice, { symbol });
 */
export function useLive<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: EndpointArgs<E>
): EndpointData<E>;
export function useLive<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): EndpointData<E> | undefined;
export function useLive<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): EndpointData<E> | undefined {
  useSubscription(endpoint, ...args);
  return useSuspense(endpoint, ...args);
}
