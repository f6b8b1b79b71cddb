import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newest } from '../scripts/newest.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Builds the app with Vite, unless the build is newer than everything it is made of. */
export async function buildIfNeeded() {
  const library = join(here, '../dist');
  if (!existsSync(join(library, 'index.js'))) {
    throw new Error('The library is not built yet. Run `npm run build` first.');
  }
  const built = join(here, 'dist/sw.js');
  const configs = ['vite.config.ts', 'vite.worker.config.ts'].map((name) => join(here, name));
  const sources = [join(here, 'app'), join(here, 'viteWarnings.ts'), ...configs, library];
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newest))) return;
  console.log('Building the app…');
  // Whatever NODE_ENV the caller has (a test, for example), the production build is served.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // The worker keeps the files of the app, so it is built after them.
  for (const configFile of configs) await build({ configFile, logLevel: 'warn' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildIfNeeded();
