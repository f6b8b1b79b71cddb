import { HoldfastError } from 'holdfast';
import type { IndexedDBOptions, IndexedDBPlugin } from './IndexedDBOptions.ts';
import { IndexedDBPluginImpl } from './IndexedDBPluginImpl.ts';

/**
 * Persists rows, results and their times in IndexedDB, so that the app starts from disk after a reload or offline.
 * The controller opens the database at once: create it when the module loads, before the first render.
 *
 * A persisted entity needs an explicit `static key`; one without is rejected with `HF_KEY_DEFAULTED`, which goes to
 * `onError` at the commit and rejects `flush()`.
 *
 * @example
 * const controller = new Controller({
 *   plugins: [indexedDB({ name: 'app', scope: userId })],
 * });
 * @throws HoldfastError `HF_PLUGIN` without a name, and in development for a version that is no number
 */
export function indexedDB(options: IndexedDBOptions): IndexedDBPlugin {
  // JavaScript may pass anything.
  if (typeof (options as Partial<IndexedDBOptions> | undefined)?.name !== 'string')
    throw new HoldfastError(
      'HF_PLUGIN',
      "indexedDB() has no name for its database; pass one: indexedDB({ name: 'app' })",
    );
  const { version = 0 } = options;
  if (process.env.NODE_ENV !== 'production' && !Number.isFinite(version))
    throw new HoldfastError(
      'HF_PLUGIN',
      `indexedDB() has the version ${JSON.stringify(version)}; pass a number: Number(text), if it is a text`,
    );
  return new IndexedDBPluginImpl(options);
}
