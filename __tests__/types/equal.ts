/* oxlint-disable typescript/no-unnecessary-type-parameters -- comparing types takes type parameters alone */

/** Whether two types are the same, not merely assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for a type that is `true`: `assertType<Equal<Found, Expected>>()`. */
// oxlint-disable-next-line typescript/no-unused-vars -- only its constraint matters
export function assertType<T extends true>(): void {
  // The compiler does the work.
}
