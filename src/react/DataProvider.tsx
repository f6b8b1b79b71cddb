import { useEffect, useState, useSyncExternalStore, type ReactElement, type ReactNode } from 'react';
import type { Controller } from '../controller/Controller.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import { ControllerContext } from './useController.ts';
import { useIsomorphicLayoutEffect } from './useIsomorphicLayoutEffect.ts';

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
    // Another function does not create another controller.
  }, [owned]);
  // No cleanup of the effect above: React runs that also when a component below suspends.
  useEffect(() => () => owned.hide(), [owned]);
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

/**
 * How long a controller that was created during render may wait to be mounted, in ms. React may discard such a
 * render.
 */
const UNSHOWN_TIME = 30_000;

/** The controller that a component has created, and stops when it unmounts. */
class OwnedController {
  #controller: Controller | undefined;
  #isShown = false;
  #cancel: () => void = () => undefined;

  /** The controller; the first call creates it, during the render of server-rendered HTML. */
  open(create: () => Controller): Controller {
    if (this.#controller !== undefined) return this.#controller;
    const controller = (this.#controller = create());
    if (typeof document !== 'undefined')
      this.#cancel = controller.schedule(() => this.#stop(controller), UNSHOWN_TIME);
    return controller;
  }

  /** Call on mount. Returns the controller, creating it unless there is one that is not stopped. */
  show(create: () => Controller): Controller {
    this.#isShown = true;
    this.#cancel();
    return (this.#controller ??= create());
  }

  /** Call on unmount; the component may be mounted again at once, as in Strict Mode. */
  hide(): void {
    const controller = this.#controller;
    this.#isShown = false;
    queueMicrotask(() => {
      if (!this.#isShown && controller !== undefined) this.#stop(controller);
    });
  }

  #stop(controller: Controller): void {
    if (this.#controller === controller) this.#controller = undefined;
    // Plugins write pending data while they stop, and report failures themselves.
    controller.stop().catch(() => undefined);
  }
}
