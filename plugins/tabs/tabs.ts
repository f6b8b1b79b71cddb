import { HoldfastError, type Plugin, type Unsent } from 'holdfast';
import { reportOnce } from '../shared/reportOnce.ts';
import { NAME, TabSync } from './TabSync.ts';
import type { TabsOptions } from './TabsOptions.ts';

/**
 * Keeps the tabs of an app in sync: commits and resets reach every other tab of the same name and scope over a
 * `BroadcastChannel`. Optimistic layers and errors stay in their tab. Newer data is never overwritten; a tab that
 * missed changes requests them again, or reads them from disk if there is a storage plugin.
 *
 * A shared entity needs an explicit `static key`; one without is rejected with `HF_KEY_DEFAULTED`, which goes to
 * `onError`. Use it in pages and workers, not on a server, where it would connect the controllers of all users.
 *
 * @example
 * const app = { name: 'app', scope: userId };
 * const controller = new Controller({ plugins: [indexedDB(app), tabs(app)] });
 */
export function tabs(options: TabsOptions = {}): Plugin {
  let isAttached = false;
  let sync: TabSync | undefined;
  return {
    name: NAME,
    get isAttached() {
      return isAttached;
    },
    start(controller) {
      isAttached = true;
      const report = reportOnce(options.onError);
      try {
        sync = new TabSync(controller, options, report);
      } catch (cause) {
        // A browser that denies storage to a site may also deny a channel, as Firefox does
        // (https://github.com/trezor/connect/pull/737).
        report(
          new HoldfastError(
            'HF_TABS',
            'There is no BroadcastChannel here, so tabs are not kept in sync; use a browser that has one, and allow site data',
            { cause },
          ),
        );
      }
    },
    commit: (commit) => sync?.commit(commit),
    flush: () => Promise.resolve(sync?.flush()),
    reset: (origin: string, unsent: Unsent = 'discard', at = 0) =>
      Promise.resolve(sync?.reset(origin, unsent, at)),
    stop() {
      sync?.close();
      sync = undefined;
    },
  };
}
