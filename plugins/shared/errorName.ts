/**
 * The name of a thrown value, by which the errors of IndexedDB are told apart. Read by name: an error of another realm
 * is no instance of this realm's `DOMException`.
 */
export function errorName(error: unknown): string {
  const name =
    typeof error === 'object' && error !== null ? (error as { readonly name?: unknown }).name : undefined; // any object may have one
  return typeof name === 'string' ? name : '';
}
