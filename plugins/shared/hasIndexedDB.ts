/** Whether IndexedDB exists, even if it may refuse to open. In browsers without storage access it is null, or throws. */
export function hasIndexedDB(): boolean {
  try {
    return (globalThis as { readonly indexedDB?: unknown }).indexedDB != null;
  } catch {
    // Firefox, in frames without storage access (https://github.com/firebase/firebase-js-sdk/pull/6841).
    return false;
  }
}
