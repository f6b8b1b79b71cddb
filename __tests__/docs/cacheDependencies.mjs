// Writes V8's code cache, with the functions that have run so far.
import './dom.mjs';
import { writeFileSync } from 'node:fs';
import { cacheFile, script } from './loadDependencies.mjs';

for (const name of Object.keys(globalThis.dependencies)) void globalThis.dependencies[name];
writeFileSync(cacheFile, script.createCachedData());
