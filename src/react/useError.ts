import { useCallback, useSyncExternalStore } from 'react';
import type { ReadArgs } from '../controller/verbTypes.ts';
import type { EndpointInterface, NoMutation } from '../endpoint/EndpointInterface.ts';
import type { EndpointError } from '../endpoint/EndpointOptions.ts';
import { useController } from './useController.ts';
import { useReadView } from './observers/useReadView.ts';

/** Errors stay on the server: the page fetches itself. */
const onTheServer = (): unknown => undefined;

/**
 * The error of the newest request of a read, even if its data is still shown; undefined if that request succeeded.
 * Never fetches, suspends or throws.
 *
 * @example
 * const error = useError(ArticleResource.get, { id });
 * return error && <small>Could not refresh: {error.message}</small>;
 */
export function useError<E extends EndpointInterface>(
  endpoint: E & NoMutation,
  ...args: ReadArgs<E>
): EndpointError | undefined {
  const controller = useController();
  const view = useReadView(endpoint, args);
  const subscribe = useCallback(
    (changed: () => void) => view?.subscribe(changed) ?? (() => undefined),
    [view],
  );
  const read = (): unknown => controller.getError(endpoint, ...args);
  const error = useSyncExternalStore(subscribe, read, onTheServer);
  return error as EndpointError | undefined; // what endpoints reject with
}
