import type { Plugin } from 'holdfast';
import type { TabsOptions } from './TabsOptions.ts';
import { TabsPlugin } from './TabsPlugin.ts';

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
  return new TabsPlugin(options);
}
