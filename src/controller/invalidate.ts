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
  const { key } = read;
  const change = invalidating(core);
  core.inFlight.outdate(key);
  core.store.commit((writer) => writer.setResult(key, change(writer.result(key) ?? { value: undefined })), {
    action: actionOf('invalidate', read),
    origin: 'app',
  });
}

/** `invalidate` for every result whose key passes the test. */
export function invalidateAll(core: Core, which: KeyTest): void {
  // What is asked for the first time has no result, yet its answer may be from before.
  const begun = core.inFlight.begun().filter((key) => which.testKey(key));
  const change = invalidating(core);
  for (const key of begun) core.inFlight.outdate(key);
  changeAll(core, 'invalidateAll', which, change, change, begun);
}

/**
 * Makes every result whose key passes the test stale. What is on screen and must not be shown stale goes, and is fetched
 * again.
 */
export function expireAll(core: Core, which: KeyTest): void {
  const isHidden = (key: string): boolean => core.mounts.get(key)?.endpoint.invalidIfStale === true;
  for (const { key } of core.mounts.reads())
    if (isHidden(key) && which.testKey(key)) core.inFlight.outdate(key);
  const hide = invalidating(core);
  const change = (result: StoredResult, key: string): StoredResult =>
    isHidden(key) ? hide(result) : expired(result);
  changeAll(core, 'expireAll', which, change, expired, []);
}

/** @returns what makes a result one that must not be shown */
function invalidating(core: Core): (result: Pick<StoredResult, 'value'>) => StoredResult {
  // Counts as a mutation answered now: no read that began before may bring a value back.
  const meta = saidNow(core, true, 0);
  return ({ value }) => ({ value, meta, invalidated: true });
}

/**
 * @param elsewhere - the change of results that are not in memory
 * @param begun - keys of reads under way that are to have a result, too
 */
function changeAll(
  core: Core,
  type: Action['type'],
  which: KeyTest,
  change: (result: StoredResult, key: string) => StoredResult,
  elsewhere: (result: StoredResult) => StoredResult,
  begun: readonly string[],
): void {
  const testKey = (key: string): boolean => which.testKey(key);
  const unknown: StoredResult = { value: undefined, meta: saidNow(core, false, 0) };
  core.store.commit(
    (writer) => {
      writer.mapResults((result, key) => (testKey(key) ? change(result, key) : result));
      // Reads that are served from rows have no result; what is invalid or stale of them is noted in one.
      for (const key of [...core.views.resultKeys(), ...begun])
        if (writer.result(key) === undefined && testKey(key)) writer.setResult(key, change(unknown, key));
    },
    { action: { type }, origin: 'app' },
  );
  core.plugins.revise({ testKey, change: elsewhere });
}
