/**
 * Runs the library where people run it: `npm run test:everywhere`. Names as arguments run only those steps
 * (`npm run test:everywhere -- build firefox`); with `--all`, the steps of `npm test` come first.
 */
import './checkNode.mjs';
import { installIfNeeded } from './install.mjs';

installIfNeeded();
// Only now: they look for packages that the line above may have had to install.
const { runSteps } = await import('./runSteps.mjs');
const { steps } = await import('./steps.mjs');
const { everywhere } = await import('./everywhereSteps.mjs');

const wanted = process.argv.slice(2);
if (wanted.includes('--all')) await runSteps({ ...steps, ...everywhere });
else await runSteps({ build: steps.build, docs: steps.docs, ...everywhere }, wanted);
