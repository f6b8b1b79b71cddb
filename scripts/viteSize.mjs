/** What an app loads of the library in a production build by Vite, with its chunks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { consumer } from './pack.mjs';

/**
 * Builds an app, with React left out.
 *
 * @param {string} source - its module
 * @returns {Promise<{ total: number, atStart: number }>} bytes of min + gzip; `atStart` is what the page loads before
 * its first paint: the entry and what it imports, without what `import()` loads later
 */
export async function viteSize(source) {
  const folder = mkdtempSync(path.join(consumer, 'vite-'));
  try {
    const entry = path.join(folder, 'app.mjs');
    writeFileSync(entry, source);
    const { output } = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        target: 'es2022',
        rollupOptions: { input: entry, external: /^react(-dom)?($|\/)/, preserveEntrySignatures: 'strict' },
      },
    });
    const chunks = new Map(
      output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
    );
    const loaded = new Set(
      [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
    );
    // A set also visits what is added during the loop.
    for (const name of loaded)
      for (const imported of chunks.get(name).imports) if (chunks.has(imported)) loaded.add(imported);
    const sizeOf = (names) =>
      [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name).code, { level: 9 }).length, 0);
    return { total: sizeOf(chunks.keys()), atStart: sizeOf(loaded) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
