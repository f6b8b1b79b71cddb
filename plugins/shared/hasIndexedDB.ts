/** Whether there is an IndexedDB, though it may refuse to open anything: browsers that may store nothing give null. */
export function hasIndexedDB(): boolean {
  return (globalThis as { readonly indexedDB?: unknown }).indexedDB != null;
}
