import { useEffect, type ReactElement, type ReactNode } from 'react';
import { partsOf, type Controller } from '../controller/Controller.ts';
import { ControllerContext } from './ControllerContext.ts';

/** Props of `DataProvider`. */
export interface DataProviderProps {
  /** Made once, outside React: a new one is a new, empty store. */
  readonly controller: Controller;
  readonly children?: ReactNode;
}

/**
 * Gives the hooks below it their controller.
 *
 * @example
 * const controller = new Controller();
 * root.render(<DataProvider controller={controller}><App /></DataProvider>);
 */
export function DataProvider({ controller, children }: DataProviderProps): ReactElement {
  useEffect(() => partsOf(controller).core.serverReads?.hydrated(), [controller]);
  return <ControllerContext.Provider value={controller}>{children}</ControllerContext.Provider>;
}
