import { work as changeOne } from './scenarios/changeOne.mjs';
import { work as check } from './scenarios/check.mjs';
import { work as firstScreen } from './scenarios/firstScreen.mjs';
import { work as loadAll } from './scenarios/loadAll.mjs';
import { work as storeAll } from './scenarios/storeAll.mjs';

/** What `run.mjs` asks for. What is timed gives its times in ms. */
globalThis.work = { ...check, ...storeAll, ...loadAll, ...firstScreen, ...changeOne };
