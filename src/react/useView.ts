import { useMemo } from 'react';
import { isNullRead } from '../controller/nullRead.ts';
import type { ReadView } from '../controller/ReadView.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { useController } from './useController.ts';
import { useRemadeEndpoint } from './useRemade.ts';

/**
 * What `make` makes of the view of a read, the same while endpoint and key are; undefined for null args.
 *
 * @param make - counts at the first render of a read alone
 */
export function useViewed<T>(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  make: (view: ReadView) => T,
): T | undefined {
  const controller = useController();
  if (process.env.NODE_ENV !== 'production')
    // eslint-disable-next-line react-hooks/rules-of-hooks -- an app is of one kind from its first render to its last
    useRemadeEndpoint(endpoint);
  const key = isNullRead(args) ? undefined : endpoint.key(...args);
  return useMemo(
    () => (key === undefined ? undefined : make(controller.view(endpoint, args, key))),
    // Args that give the same key are the same read, though they are another array at each render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [controller, endpoint, key],
  );
}

/** The view of a read, the same while endpoint and key are; undefined for null args. */
export function useView(endpoint: EndpointInterface, args: readonly unknown[]): ReadView | undefined {
  return useViewed(endpoint, args, itself);
}

function itself(view: ReadView): ReadView {
  return view;
}
