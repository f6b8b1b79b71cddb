import { useContext, createContext } from 'react';
import type { Controller } from '../controller/Controller.ts';
import { HoldfastError } from '../util/errors.ts';

/** Provides the controller of `DataProvider` to the hooks. */
export const ControllerContext = createContext<Controller | undefined>(undefined);

/**
 * The controller of the nearest `DataProvider`, for mutations and other actions that are not reads.
 *
 * @throws HoldfastError `HF_NO_PROVIDER` outside a `DataProvider`
 * @example
 * const controller = useController();
 * const finish = () =>
 *   controller.fetch(TaskResource.partialUpdate, { id }, { isDone: true });
 */
export function useController(): Controller {
  const controller = useContext(ControllerContext);
  if (controller === undefined) {
    throw new HoldfastError(
      'HF_NO_PROVIDER',
      'A Holdfast hook was used outside <DataProvider>; render one around your app, of the same copy of Holdfast (npm ls holdfast)',
    );
  }
  return controller;
}
