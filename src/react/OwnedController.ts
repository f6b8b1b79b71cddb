import type { Controller } from '../controller/Controller.ts';

/** How long a controller that was made while rendering may wait to be shown, in ms. React may throw such a render away. */
const UNSHOWN_TIME = 30_000;

/** The controller that a component has made, and stops when it goes. */
export class OwnedController {
  #controller: Controller | undefined;
  #isShown = false;
  #cancel: () => void = () => undefined;

  /** The controller, made with the first call, while rendering what a server rendered. */
  open(create: () => Controller): Controller {
    if (this.#controller !== undefined) return this.#controller;
    const controller = (this.#controller = create());
    if (typeof document !== 'undefined')
      this.#cancel = controller.schedule(() => this.#stop(controller), UNSHOWN_TIME);
    return controller;
  }

  /** The component is on screen. Gives the controller, made now unless there is one that was not stopped. */
  show(create: () => Controller): Controller {
    this.#isShown = true;
    this.#cancel();
    return (this.#controller ??= create());
  }

  /** The component has gone, unless it comes back at once, as in Strict Mode. */
  hide(): void {
    const controller = this.#controller;
    this.#isShown = false;
    queueMicrotask(() => {
      if (!this.#isShown && controller !== undefined) this.#stop(controller);
    });
  }

  #stop(controller: Controller): void {
    if (this.#controller === controller) this.#controller = undefined;
    // Plugins write what is pending while they stop, and tell of what fails themselves.
    controller.stop().catch(() => undefined);
  }
}
