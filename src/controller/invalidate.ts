import type { Action } from '../store/Commit.ts';
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
  const keys = keysOf(core, which);
  // What is asked for the first time has no result, yet its answer may be from before.
  for (const key of core.inFlight.begun()) if (which.testKey(key)) keys.add(key);
  const invalidated = invalidateKeys(core, keys, { type: 'invalidateAll' });
  core.plugins.revise({ testKey: (key) => which.testKey(key), change: invalidated });
}

/** Makes every result whose key passes the test stale. */
export function expireAll(core: Core, which: KeyTest): void {
  const unknown: StoredResult = { value: undefined, meta: saidNow(core, false, 0) };
  const keys = keysOf(core, which);
  core.store.commit(
    (writer) => {
      for (const key of keys) writer.setResult(key, expired(writer.result(key) ?? unknown));
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

function keysOf({ store, views }: Core, which: KeyTest): Set<string> {
  // Reads that are served from rows have no result; what is invalid or stale of them is noted in one.
  const keys = new Set(views.resultKeys());
  for (const [key] of store.base.results.entries()) keys.add(key);
  for (const key of keys) if (!which.testKey(key)) keys.delete(key);
  return keys;
}

function expired(result: StoredResult): StoredResult {
  return { ...result, meta: { ...result.meta, expiresAt: 0 } };
}
