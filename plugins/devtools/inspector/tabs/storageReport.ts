import type { Controller, Plugin, PluginStatus } from 'holdfast';

/** The properties of the storage plugin's report that are shown here. */
export interface StorageReport {
  readonly state: 'opening' | 'working' | 'degraded';
  readonly problem?: Error;
  readonly isRestored: boolean;
  readonly restoredRows: number;
  readonly rows: number;
  /** The approximate size of the stored data. */
  readonly bytes?: number;
  readonly flushedAt?: number;
  readonly flushTook?: number;
}

/** The browser's estimate for the whole origin, in bytes. */
export interface Estimate {
  readonly usage?: number | undefined;
  readonly quota?: number | undefined;
}

/** The part of the IndexedDB plugin that is used here. */
export interface Storage extends Plugin {
  readonly status: PluginStatus<StorageReport>;
  estimate?(): Promise<Estimate | undefined>;
}

/** The controller's storage, if it has one. */
export function storageOf({ plugins }: Controller): Storage | undefined {
  const found = plugins.find(({ name }) => name === 'indexeddb');
  return found?.status === undefined ? undefined : (found as Storage); // only storage has this name
}
