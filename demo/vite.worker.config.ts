import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { withoutNoise } from './viteWarnings.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const built = folder('dist');

/** The files that the shell is made of: what the build of the app, which comes first, has made. */
const files = readdirSync(built, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.map$|^sw\.js$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(built.length).replaceAll('\\', '/'))
  .sort();

const hash = createHash('sha256');
for (const file of files) hash.update(file).update(readFileSync(built + file));

/** The service worker: one file that needs no other, since not all browsers have workers made of modules. */
export default defineConfig({
  define: {
    SHELL_VERSION: JSON.stringify(hash.digest('hex').slice(0, 12)),
    SHELL_FILES: JSON.stringify(files),
    'process.env.NODE_ENV': '"production"',
  },
  publicDir: false,
  build: {
    outDir: built,
    emptyOutDir: false,
    sourcemap: true,
    rolldownOptions: withoutNoise,
    lib: { entry: folder('app/sw.ts'), formats: ['iife'], name: 'worker', fileName: () => 'sw.js' },
  },
});
