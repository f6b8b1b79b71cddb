/** Binds the methods of an object to it, including those of subclasses, so that they can be used on their own. */
export function bindMethods(object: object): void {
  for (
    let level = Object.getPrototypeOf(object) as object;
    level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof value !== 'function' || Object.hasOwn(object, name) || name === 'constructor') continue;
      Object.defineProperty(object, name, {
        value: (value as () => unknown).bind(object), // a method
        writable: true,
        configurable: true,
      });
    }
  }
}
