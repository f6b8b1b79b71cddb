/**
 * The name of a thrown value, to distinguish the errors of IndexedDB. Read by name, since an error of another realm
 * is not an instance of this realm's `DOMException`.
 */
export function errorName(error: unknown): string {
  const name =
    typeof error === 'object' && error !== null ? (error as { readonly name?: unknown }).name : undefined; // any object may have one
  return typeof name === 'string' ? name : '';
}
