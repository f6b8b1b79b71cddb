/** The steps of `npm run test:everywhere`, beside those of `npm test` that they come after. */
import { app } from './everywhereApp.mjs';
import { installIfNeeded, packageChecks } from './install.mjs';
import { apps, everyEngine, faults, jest, script, treeShaking } from './steps.mjs';

/** The tests for each engine, in one of the browsers that `__tests__/browser/browsers.ts` knows. */
const inBrowser = (name) => jest('browser', { report: name, paths: [everyEngine], env: { BROWSER: name } });

/**
 * Of the packed library in bundlers, frameworks and test runners; they come `after: ['build']`.
 *
 * @type {import('./steps.mjs').Steps}
 */
const packages = {
  bundlers: app('bundlers'),
  runners: app('runners'),
  nextjs: { after: ['build'], run: jest('nextjs') },
  pwa: { after: ['build'], run: jest('pwa') },
};

/** @type {import('./steps.mjs').Steps} */
export const everywhere = {
  site: { after: ['docs'], run: jest('site') },
  examples: { after: ['build'], run: jest('examples') },
  apps: { after: ['build'], run: jest('browser', { report: 'apps', paths: [apps] }) },
  'tree-shaking': { after: ['build'], run: jest('built', { report: 'tree-shaking', paths: [treeShaking] }) },
  'published-types': { after: ['build'], run: script('check-types.mjs') },
  faults: { run: jest('browser', { report: 'faults', paths: [faults] }) },
  chromium: { run: inBrowser('chromium') },
  firefox: { run: inBrowser('firefox') },
  webkit: { run: inBrowser('webkit') },
  // These come after the step that installs the same packages.
  'react-18': {
    after: ['published-types'],
    run(capture) {
      installIfNeeded(packageChecks);
      return jest('react-18')(capture);
    },
  },
  package: { after: ['build', 'published-types'], run: script('check-package.mjs') },
  ...packages,
};
