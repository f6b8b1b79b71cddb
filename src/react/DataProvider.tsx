import {
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { Controller } from '../controller/Controller.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import { ControllerContext } from './ControllerContext.ts';
import { OwnedController } from './OwnedController.ts';

/** Props of `DataProvider`: one of the two ways to provide the controller. */
export type DataProviderProps = { readonly children?: ReactNode } & (
  | {
      /** Created once, outside React: a new one means a new, empty store. The app stops it, if necessary. */
      readonly controller: Controller;
      readonly create?: undefined;
    }
  | {
      /**
       * Creates the controller when the provider is mounted. The provider owns it: it is flushed and stopped when the
       * provider unmounts or its `key` changes. Passing another function does not create another controller.
       */
      readonly create: () => Controller;
      readonly controller?: undefined;
    }
);

/**
 * Provides a controller to the hooks below.
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
    <ControllerProvider controller={controller}>{children}</ControllerProvider>
  ) : (
    <ControllerOwner create={create}>{children}</ControllerOwner>
  );
}

interface ControllerOwnerProps {
  readonly create: () => Controller;
  readonly children?: ReactNode;
}

/** A server does not run layout effects, and React 18 warns about them there. */
const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * Creates the controller in an effect, since React may discard a render, and renders twice in Strict Mode. A server,
 * and a page that hydrates server-rendered HTML, need it during render.
 */
function ControllerOwner({ create, children }: ControllerOwnerProps): ReactElement | null {
  const [owned] = useState(() => new OwnedController());
  const [shown, setShown] = useState<Controller>();
  const isFromServer = useSyncExternalStore(unchanging, no, yes);
  useIsomorphicLayoutEffect(() => {
    setShown(owned.show(create));
    return () => owned.hide();
    // Another function does not create another controller.
  }, [owned]);
  const controller = shown ?? (isFromServer ? owned.open(create) : undefined);
  return controller === undefined ? null : (
    <ControllerProvider controller={controller}>{children}</ControllerProvider>
  );
}

function ControllerProvider({
  controller,
  children,
}: {
  controller: Controller;
  children?: ReactNode;
}): ReactElement {
  useEffect(() => internalsOf(controller).core.hydration?.onHydrated(), [controller]);
  return <ControllerContext.Provider value={controller}>{children}</ControllerContext.Provider>;
}

const unchanging = () => () => undefined;
const no = (): boolean => false;
const yes = (): boolean => true;
