/** The storage that the browser grants an origin, in bytes. */
export interface StorageEstimate {
  /** The approximate usage of the origin. */
  readonly usage: number;
  /** The quota of the origin. */
  readonly quota: number;
}

/** The origin's usage and quota; undefined if the browser does not report them. */
export async function estimateStorage(): Promise<StorageEstimate | undefined> {
  try {
    const { usage, quota } = (await managerOf()?.estimate()) ?? {};
    return usage === undefined || quota === undefined ? undefined : { usage, quota };
  } catch {
    return undefined;
  }
}

/** Asks the browser to keep the data under storage pressure. Returns whether it agrees. */
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
