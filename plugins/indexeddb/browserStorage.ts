/** What the browser grants an origin, in bytes. */
export interface StorageEstimate {
  /** What the origin uses, about, with everything it stores. */
  readonly usage: number;
  /** What it may use. */
  readonly quota: number;
}

/** What the origin uses and may use; undefined where the browser does not say. */
export async function estimateStorage(): Promise<StorageEstimate | undefined> {
  try {
    const { usage, quota } = (await managerOf()?.estimate()) ?? {};
    return usage === undefined || quota === undefined ? undefined : { usage, quota };
  } catch {
    return undefined;
  }
}

/** Asks the browser to keep what is stored also when the device gets full. Returns whether it will. */
export async function requestPersistence(): Promise<boolean> {
  try {
    return (await managerOf()?.persist()) ?? false;
  } catch {
    return false;
  }
}

function managerOf(): StorageManager | undefined {
  const { navigator } = globalThis as { readonly navigator?: { readonly storage?: StorageManager } }; // not everywhere
  return navigator?.storage;
}
