import type { IndexedDBOptions, IndexedDBPlugin } from './IndexedDBOptions.ts';
import { Persistence } from './Persistence.ts';

/**
 * Keeps rows, results and their times in IndexedDB, so that a reload, or a dead network, costs nothing. Opens the
 * database at once: call it when the module loads, before anything is rendered.
 *
 * An entity that is kept must have a `static key` of its own; one without is refused with `HF_KEY_DEFAULTED`, which
 * `onError` gets when it is committed and with which `flush()` rejects.
 *
 * @example
 * const controller = new Controller({
 *   plugins: [indexedDB({ name: 'app', scope: userId })],
 * });
 */
export function indexedDB(options: IndexedDBOptions): IndexedDBPlugin {
  return new Persistence(options);
}
