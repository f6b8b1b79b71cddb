import { useState, useSyncExternalStore } from 'react';
import type { Reading } from '../controller/reading.ts';
import type { ReadView } from '../controller/ReadView.ts';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { MISSING } from '../schema/missing.ts';
import { ShownReading } from './ShownReading.ts';
import { useViewed } from './useView.ts';

const nothing = {
  subscribe: () => () => undefined,
  getSnapshot: () => undefined,
  getServerSnapshot: () => undefined,
};

/** What a read has for this render. With neither data nor error, `view.wait()` is to be waited for. */
export interface Shown extends Reading {
  readonly view: ReadView;
}

/**
 * What `useSuspense` and `useFetch` have in common: renders again when what is read changes or goes away, and fetches
 * in the background at mount and with changed args where it is stale. Undefined for null args.
 */
export function useShownReading(endpoint: EndpointInterface, args: readonly unknown[]): Shown | undefined {
  const [loss, setLoss] = useState(0);
  const shown = useViewed(endpoint, args, (view) => new ShownReading(view, setLoss));
  const store = shown ?? nothing;
  const reading = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);

  if (shown === undefined || reading === undefined) return undefined;
  const { view } = shown;
  const { data, error } = shown.read(loss, reading);
  // What is shown already does not go away for having become stale.
  if (data !== MISSING && (shown.isOnScreen || view.isShowable)) return { view, data, error: undefined };
  const isThrown = error !== undefined && (shown.isOnScreen || view.error !== undefined);
  return { view, data: MISSING, error: isThrown ? error : undefined };
}
