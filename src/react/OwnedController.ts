import type { Controller } from '../controller/Controller.ts';

/**
 * How long a controller that was created during render may wait to be mounted, in ms. React may discard such a
 * render.
 */
const UNSHOWN_TIME = 30_000;

/** The controller that a component has created, and stops when it unmounts. */
export class OwnedController {
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
