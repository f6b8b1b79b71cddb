// Loads what dependencies.ts has built, with V8's code cache: `node --import loadDependencies.mjs`.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

// esbuild writes ASCII.
const filename = fileURLToPath(new URL('../../.tmp/docs/dependencies.cjs', import.meta.url));

export const cacheFile = `${filename}.cache`;
export const script = new vm.Script(`(function (module, require) {${readFileSync(filename, 'latin1')}\n})`, {
  filename,
  cachedData: existsSync(cacheFile) ? readFileSync(cacheFile) : undefined,
});

const module = { exports: {} };
script.runInThisContext()(module, createRequire(filename));
globalThis.dependencies = module.exports;
