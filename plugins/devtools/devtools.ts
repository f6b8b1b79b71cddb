import type { Plugin } from 'holdfast';
import type { DevtoolsOptions } from './DevtoolsOptions.ts';
import { DevtoolsPlugin } from './DevtoolsPlugin.ts';

/**
 * Shows what a controller does: in the Redux DevTools if the browser has them, and in `<Inspector />`. In a
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

/** `devtools` that also works in production builds, for example in a build for testers. */
export function devtoolsInProduction(options: DevtoolsOptions = {}): DevtoolsPlugin {
  return new DevtoolsPlugin(options);
}
