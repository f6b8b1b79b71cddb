/** The method that runs when an instance is called. */
interface Fetches {
  fetch(...args: readonly unknown[]): unknown;
}

/**
 * Base of classes whose instances are callable: `new` returns a function that has the class's prototype, so that
 * `instanceof`, subclasses with `super`, fields and private members all work on it. Calling it runs its `fetch`.
 */
export class Callable {
  static {
    // Provides call(), apply() and bind(). Extending Function itself would compile code, which a strict CSP forbids.
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  constructor() {
    const self = (...args: readonly unknown[]): unknown => (self as unknown as Fetches).fetch(...args); // subclasses have it
    Object.setPrototypeOf(self, new.target.prototype);
    // A function's own name would hide the one that the class defines.
    delete (self as { name?: string }).name;
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- it has the prototype, and gets the fields
    return self;
  }
}
