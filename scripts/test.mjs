/** Everything that must hold before a change lands: `npm test`. Names as arguments run only those steps: `npm test -- types unit`. */
import './checkNode.mjs';
import { installIfNeeded } from './install.mjs';

installIfNeeded();
// Only now: they look for packages that the line above may have had to install.
const { runSteps } = await import('./runSteps.mjs');
const { steps } = await import('./steps.mjs');

await runSteps(steps, process.argv.slice(2));
