import { useEffect, useRef } from 'react';
import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { isHooked } from '../endpoint/hookifyResource.ts';
import type { Schema } from '../schema/Schema.ts';
import { warnOnce } from '../util/warnOnce.ts';
import { useController } from './useController.ts';

/** So many renders in a row tell that something is made anew at each of them. */
const RENDERS = 10;

/** Stands for what is no object, and so is never made anew. */
const NOTHING = {};

/** What a component has been given so far. */
interface Given {
  readonly known: WeakSet<object>;
  /** How many renders in a row each had something that was new. */
  fresh: number;
}

/**
 * In development, tells of something that should stay the same and is another object at each render. Only renders that
 * reach the screen count, and going back and forth between a few is not meant.
 *
 * @param report - called each time that it is found
 */
function useRemade<T extends object>(value: T, report: (value: T) => void): void {
  const given = useRef<Given>(undefined);
  useEffect(() => {
    const state = (given.current ??= { known: new WeakSet(), fresh: 0 });
    state.fresh = state.known.has(value) ? 0 : state.fresh + 1;
    state.known.add(value);
    if (state.fresh > RENDERS) report(value);
  });
}

/** Warns of a schema that `useQuery` is given anew at each render. */
export function useRemadeSchema(queryable: Schema): void {
  const controller = useController();
  const isObject = typeof queryable === 'function' || (typeof queryable === 'object' && queryable !== null);
  useRemade(isObject ? queryable : NOTHING, ({ constructor: { name } }) =>
    warnOnce(
      controller,
      'HF_UNSTABLE_SCHEMA',
      `useQuery() was given a new schema (${name}) at each of ${RENDERS} renders, so it finds everything anew each time; make it once, outside of the component, and pass what changes in its args`,
      name,
    ),
  );
}

/** Warns of an endpoint that a hook is given anew at each render. */
export function useRemadeEndpoint(endpoint: EndpointInterface): void {
  const controller = useController();
  useRemade(endpoint, ({ name }) =>
    isHooked(endpoint)
      ? warnOnce(
          controller,
          'HF_UNSTABLE_INIT',
          `The hook given to hookifyResource() for ${name} returned other request options at each of ${RENDERS} renders, so the endpoint is made anew each time; return what changes only when it has to, such as a token`,
          name,
        )
      : warnOnce(
          controller,
          'HF_UNSTABLE_ENDPOINT',
          `A hook was given a new endpoint ${name} at each of ${RENDERS} renders, so its data is joined anew each time; make it once, outside of the component, and pass what changes in its args`,
          name,
        ),
  );
}
