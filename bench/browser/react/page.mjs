import { work as burst } from './scenarios/burst.mjs';
import { work as change } from './scenarios/change.mjs';
import { work as check } from './scenarios/check.mjs';
import { work as mount } from './scenarios/mount.mjs';
import { work as window } from './scenarios/window.mjs';

/** What `run.mjs` asks for. */
globalThis.work = { ...check, ...change, ...mount, ...burst, ...window };
