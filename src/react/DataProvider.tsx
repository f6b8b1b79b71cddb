import {
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import { partsOf, type Controller } from '../controller/Controller.ts';
import { ControllerContext } from './ControllerContext.ts';
import { OwnedController } from './OwnedController.ts';

/** Props of `DataProvider`: either of the two that give the controller. */
export type DataProviderProps = { readonly children?: ReactNode } & (
  | {
      /** Made once, outside React: a new one is a new, empty store. The app stops it, if anybody has to. */
      readonly controller: Controller;
      readonly create?: undefined;
    }
  | {
      /**
       * Makes the controller when the provider is first on screen. The provider owns it: flushed and stopped when the
       * provider goes, or gets another `key`. Another function alone makes no other controller.
       */
      readonly create: () => Controller;
      readonly controller?: undefined;
    }
);

/**
 * Gives the hooks below it their controller.
 *
 * @example
 * const controller = new Controller();
 * root.render(<DataProvider controller={controller}><App /></DataProvider>);
 *
 * @example
 * // A controller for each user, stopped when another signs in.
 * <DataProvider key={userId} create={() => new Controller()}>
 *   <App />
 * </DataProvider>;
 */
export function DataProvider({ controller, create, children }: DataProviderProps): ReactElement {
  return create === undefined ? (
    <Provided controller={controller}>{children}</Provided>
  ) : (
    <Owner create={create}>{children}</Owner>
  );
}

interface OwnerProps {
  readonly create: () => Controller;
  readonly children?: ReactNode;
}

/** A server does not run layout effects, and React 18 warns of them there. */
const useShownEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * Makes the controller in an effect, since React may throw away a render, and runs it twice in Strict Mode. A server, and
 * a page that hydrates what the server rendered, need it while they render.
 */
function Owner({ create, children }: OwnerProps): ReactElement | null {
  const [owned] = useState(() => new OwnedController());
  const [shown, setShown] = useState<Controller>();
  const isFromServer = useSyncExternalStore(unchanging, no, yes);
  useShownEffect(() => {
    setShown(owned.show(create));
    return () => owned.hide();
    // Another function makes no other controller.
  }, [owned]);
  const controller = shown ?? (isFromServer ? owned.open(create) : undefined);
  return controller === undefined ? null : <Provided controller={controller}>{children}</Provided>;
}

function Provided({ controller, children }: { controller: Controller; children?: ReactNode }): ReactElement {
  useEffect(() => partsOf(controller).core.serverReads?.hydrated(), [controller]);
  return <ControllerContext.Provider value={controller}>{children}</ControllerContext.Provider>;
}

const unchanging = () => () => undefined;
const no = (): boolean => false;
const yes = (): boolean => true;
