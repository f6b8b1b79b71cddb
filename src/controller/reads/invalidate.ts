import type { Action } from '../../store/Commit.ts';
import { expired } from '../../store/writeResult.ts';
import type { StoredResult } from '../../store/State.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Read } from '../plugins/Plugin.ts';
import type { Meta } from '../../schema/Meta.ts';
import { actionOf, localMeta } from '../requests/writeResponse.ts';
import { rowExpiry } from './readResult.ts';

/** Selects results by their endpoint's key. */
export interface KeyTest {
  testKey(key: string): boolean;
}

/** Invalidates a read: it shows nothing until it is fetched again. */
export function invalidate(internals: ControllerInternals, read: Read): void {
  const { endpoint, key } = read;
  const change = createInvalidation(internals);
  // Without a result, only whether it never becomes stale matters.
  const none = { value: undefined, meta: { expiresAt: internals.dataExpiryLength(endpoint) } };
  internals.reads.get(key)?.outdate();
  internals.store.commit((writer) => writer.setResult(key, change(writer.result(key) ?? none)), {
    action: actionOf('invalidate', read),
    origin: 'app',
  });
}

/** `invalidate` for every result whose key passes the test. */
export function invalidateAll(internals: ControllerInternals, which: KeyTest): void {
  // A first request has no result yet, but its response may be outdated.
  const requested = internals.reads.requested();
  const change = createInvalidation(internals);
  for (const read of requested) if (which.testKey(read.key)) read.outdate();
  const keys = [...internals.views.resultKeys(), ...requested.map(({ key }) => key)];
  changeAll(internals, 'invalidateAll', which, change, change, keys);
}

/**
 * Makes every result whose key passes the test stale. Mounted results that must not be shown stale are invalidated
 * and refetched.
 */
export function expireAll(internals: ControllerInternals, which: KeyTest): void {
  for (const read of internals.reads.values()) if (read.hidesStale && which.testKey(read.key)) read.outdate();
  const hide = createInvalidation(internals);
  const change = (result: StoredResult, key: string): StoredResult =>
    internals.reads.get(key)?.hidesStale === true ? hide(result) : expired(result);
  // A result that only the disk has may be invalid, and must not become a stale one.
  const keys = [...internals.views.resultKeys()].filter((key) => !internals.plugins.holds(key));
  changeAll(internals, 'expireAll', which, change, expired, keys);
}

/** A result, or what a read shows without one. */
interface Invalidable extends Pick<StoredResult, 'value'> {
  readonly meta: Pick<Meta, 'expiresAt'>;
}

/** @returns a function that invalidates a result */
function createInvalidation(internals: ControllerInternals): (result: Invalidable) => StoredResult {
  // Counts as a mutation that was just answered: no earlier read may bring a value back.
  const now = localMeta(internals, true, 0);
  const never = { ...now, expiresAt: -Infinity };
  return ({ value, meta }) => ({
    value,
    meta: Math.abs(meta.expiresAt) === Infinity ? never : now,
    invalidated: true,
  });
}

/**
 * @param changeStored - the change of results that are not in memory
 * @param keys - of reads that get a result if they have none
 */
function changeAll(
  internals: ControllerInternals,
  type: Action['type'],
  which: KeyTest,
  change: (result: StoredResult, key: string) => StoredResult,
  changeStored: (result: StoredResult) => StoredResult,
  keys: readonly string[],
): void {
  const testKey = (key: string): boolean => which.testKey(key);
  const meta = localMeta(internals, false, 0);
  internals.store.commit(
    (writer) => {
      writer.mapResults((result, key) => (testKey(key) ? change(result, key) : result));
      // Reads that are served from rows have no result; their invalidation is stored in one.
      for (const key of keys) {
        if (writer.result(key) !== undefined || !testKey(key)) continue;
        const [node] = internals.views.nodes.results(key);
        // That `expireAll` made it stale counts in this session only, since another read may fetch its rows again.
        const isKept = node !== undefined && type === 'invalidateAll';
        const expiresAt = isKept ? rowExpiry(internals, key, node) : 0;
        // A response to a request that is pending is newer than no result.
        writer.setResult(key, change({ value: undefined, meta: { ...meta, order: 0, expiresAt } }, key));
      }
    },
    { action: { type }, origin: 'app' },
  );
  internals.reads.expire(testKey, meta.order);
  internals.plugins.revise({ testKey, change: changeStored });
}
