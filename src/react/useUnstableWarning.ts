import { useEffect, useRef } from 'react';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { isHooked } from '../endpoint/rest/hookifyResource.ts';
import type { Schema } from '../schema/Schema.ts';
import { warnOnce } from '../util/warnOnce.ts';
import { useController } from './useController.ts';

/** This many renders in a row with a new object are reported. */
const RENDERS = 10;

/** Stands for values that are not objects, and so are never unstable. */
const NOTHING = {};

/** The values that a component has received so far. */
interface RenderHistory {
  readonly known: WeakSet<object>;
  /** The number of consecutive renders with a new value. */
  newInARow: number;
}

/**
 * In development, reports an object that should be stable but is new at each render. Only committed renders count;
 * alternating between a few objects is not reported.
 *
 * @param report - called each time an unstable value is found
 */
function useUnstableWarning<T extends object>(value: T, report: (value: T) => void): void {
  const history = useRef<RenderHistory>(undefined);
  useEffect(() => {
    const state = (history.current ??= { known: new WeakSet(), newInARow: 0 });
    state.newInARow = state.known.has(value) ? 0 : state.newInARow + 1;
    state.known.add(value);
    if (state.newInARow > RENDERS) report(value);
  });
}

/** Warns about a schema that is created for `useQuery` at each render. */
export function useUnstableSchemaWarning(queryable: Schema): void {
  const controller = useController();
  const isObject = typeof queryable === 'function' || (typeof queryable === 'object' && queryable !== null);
  useUnstableWarning(isObject ? queryable : NOTHING, ({ constructor: { name } }) =>
    warnOnce(
      controller,
      'HF_UNSTABLE_SCHEMA',
      `useQuery() was given a new schema (${name}) at each of ${RENDERS} renders, so nothing can be reused; create it once, outside of the component, and pass changing values in its args`,
      name,
    ),
  );
}

/** Warns about an endpoint that is created for a hook at each render. */
export function useUnstableEndpointWarning(endpoint: EndpointInterface): void {
  const controller = useController();
  useUnstableWarning(endpoint, ({ name }) =>
    isHooked(endpoint)
      ? warnOnce(
          controller,
          'HF_UNSTABLE_INIT',
          `The hook given to hookifyResource() for ${name} returned other request options at each of ${RENDERS} renders, so the endpoint is created each time; return new values only when they change, such as a token`,
          name,
        )
      : warnOnce(
          controller,
          'HF_UNSTABLE_ENDPOINT',
          `A hook was given a new endpoint ${name} at each of ${RENDERS} renders, so its data is denormalized each time; create it once, outside of the component, and pass changing values in its args`,
          name,
        ),
  );
}
