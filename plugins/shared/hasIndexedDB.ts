/** Whether IndexedDB exists, even if it may refuse to open; null in browsers without storage access. */
export function hasIndexedDB(): boolean {
  return (globalThis as { readonly indexedDB?: unknown }).indexedDB != null;
}
