import type { Plugin } from 'holdfast';
import type { TabsOptions } from './TabsOptions.ts';
import { TabsPlugin } from './TabsPlugin.ts';

/**
 * Keeps the tabs of an app in step: what one commits, and a reset, reaches every other of the same name and scope over
 * a `BroadcastChannel`. Optimistic answers and errors stay with their tab. Nothing overwrites what is newer; a tab that
 * missed changes gets them again, or reads them from disk where there is a storage plugin.
 *
 * An entity that is shared must have a `static key` of its own; one without is refused with `HF_KEY_DEFAULTED`, which
 * `onError` gets. For pages and workers, not for a server: there, all users' controllers would hear each other.
 *
 * @example
 * const app = { name: 'app', scope: userId };
 * const controller = new Controller({ plugins: [indexedDB(app), tabs(app)] });
 */
export function tabs(options: TabsOptions = {}): Plugin {
  return new TabsPlugin(options);
}
