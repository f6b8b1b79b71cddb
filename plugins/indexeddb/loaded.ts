import { withTimeout } from '../shared/withTimeout.ts';

/** How long code may take to load, in ms: whoever waits for it must end some time. */
const LOAD_WITHIN = 10_000;

/**
 * Code that is loaded later, by `import()`.
 *
 * @throws DOMException `TimeoutError` when it takes too long; the importer's error when it cannot be loaded, for
 * instance offline
 */
export function loaded<T>(code: Promise<T>): Promise<T> {
  return withTimeout(LOAD_WITHIN, code, 'Code of holdfast/indexeddb has not loaded yet');
}
