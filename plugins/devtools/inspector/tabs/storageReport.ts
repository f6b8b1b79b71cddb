import type { Controller, Plugin, PluginStatus } from 'holdfast';

/** What the storage plugin tells, as far as it is shown here. */
export interface StorageReport {
  readonly state: 'opening' | 'working' | 'degraded';
  readonly problem?: Error;
  readonly isRestored: boolean;
  readonly restoredRows: number;
  readonly rows: number;
  /** Of what is stored, about. */
  readonly bytes?: number;
  readonly flushedAt?: number;
  readonly flushTook?: number;
}

/** What the browser says of the whole origin, in bytes. */
export interface Estimate {
  readonly usage?: number | undefined;
  readonly quota?: number | undefined;
}

/** The part of the IndexedDB plugin that is used here. */
export interface Storage extends Plugin {
  readonly status: PluginStatus<StorageReport>;
  estimate?(): Promise<Estimate | undefined>;
}

/** The controller's storage, where it has one. */
export function storageOf({ plugins }: Controller): Storage | undefined {
  const found = plugins.find(({ name }) => name === 'indexeddb');
  return found?.status === undefined ? undefined : (found as Storage); // nothing else has its name
}
