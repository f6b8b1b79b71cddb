import type { Plugin } from 'holdfast';
import type { DevtoolsOptions } from './DevtoolsOptions.ts';
import { DevtoolsPlugin } from './DevtoolsPlugin.ts';

/**
 * Shows what a controller does: to the Redux DevTools where the browser has them, and to `<Inspector />`. In a
 * production build it is a plugin that does nothing, and its code is left out.
 *
 * @example
 * const controller = new Controller({
 *   plugins: [indexedDB({ name: 'app' }), devtools({ name: 'Shop' })],
 * });
 */
export function devtools(options: DevtoolsOptions = {}): Plugin {
  return process.env.NODE_ENV !== 'production' ? new DevtoolsPlugin(options) : { name: 'devtools' };
}

/** `devtools` that also works in production builds, for a build that is handed to testers, say. */
export function devtoolsInProduction(options: DevtoolsOptions = {}): DevtoolsPlugin {
  return new DevtoolsPlugin(options);
}
