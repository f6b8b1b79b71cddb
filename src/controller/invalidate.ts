import type { Action } from '../store/Commit.ts';
import { expired } from '../store/expired.ts';
import type { StoredResult } from '../store/State.ts';
import type { Core } from './Core.ts';
import type { Read } from './Plugin.ts';
import { actionOf, saidNow } from './storing.ts';

/** Selects results by their endpoint's key. */
export interface KeyTest {
  testKey(key: string): boolean;
}

/** Makes a read show nothing until it is fetched again. */
export function invalidate(core: Core, read: Read): void {
  invalidateKeys(core, [read.key], actionOf('invalidate', read));
}

/** `invalidate` for every result whose key passes the test. */
export function invalidateAll(core: Core, which: KeyTest): void {
  const keys = new Set(unstored(core, which));
  for (const [key] of core.store.base.results.entries()) if (which.testKey(key)) keys.add(key);
  // What is asked for the first time has no result, yet its answer may be from before.
  for (const key of core.inFlight.begun()) if (which.testKey(key)) keys.add(key);
  const invalidated = invalidateKeys(core, keys, { type: 'invalidateAll' });
  core.plugins.revise({ testKey: (key) => which.testKey(key), change: invalidated });
}

/** Makes every result whose key passes the test stale. */
export function expireAll(core: Core, which: KeyTest): void {
  const unknown: StoredResult = { value: undefined, meta: saidNow(core, false, 0) };
  core.store.commit(
    (writer) => {
      writer.mapResults((result, key) => (which.testKey(key) ? expired(result) : result));
      for (const key of unstored(core, which)) writer.setResult(key, expired(unknown));
    },
    { action: { type: 'expireAll' }, origin: 'app' },
  );
  core.plugins.revise({ testKey: (key) => which.testKey(key), change: expired });
}

/** @returns what makes a result such as those that were invalidated */
function invalidateKeys(
  core: Core,
  keys: Iterable<string>,
  action: Action,
): (result: Pick<StoredResult, 'value'>) => StoredResult {
  // Counts as a mutation answered now: no read that began before may bring a value back.
  const meta = saidNow(core, true, 0);
  const invalidated = ({ value }: Pick<StoredResult, 'value'>): StoredResult => ({
    value,
    meta,
    invalidated: true,
  });
  for (const key of keys) core.inFlight.outdate(key);
  core.store.commit(
    (writer) => {
      for (const key of keys) writer.setResult(key, invalidated(writer.result(key) ?? { value: undefined }));
    },
    { action, origin: 'app' },
  );
  return invalidated;
}

/** Reads that are served from rows have no result; what is invalid or stale of them is noted in one. */
function unstored({ store, views }: Core, which: KeyTest): string[] {
  const keys: string[] = [];
  for (const key of views.resultKeys())
    if (store.base.results.get(key) === undefined && which.testKey(key)) keys.push(key);
  return keys;
}
