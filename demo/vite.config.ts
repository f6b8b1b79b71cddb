import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { withoutNoise } from './viteWarnings.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Names the chunks of the screens in the page, so that the browser loads them together with `main.ts`, which imports
 * them only after it has begun to open the database.
 */
const preloadScreens: Plugin = {
  name: 'preload-screens',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      Object.values(bundle)
        .flatMap((chunk) =>
          chunk.type === 'chunk' && chunk.name === 'show' ? [chunk.fileName, ...chunk.imports] : [],
        )
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        })),
  },
};

export default defineConfig({
  root: folder('app'),
  plugins: [react(), preloadScreens],
  build: {
    outDir: folder('dist'),
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: { ...withoutNoise, input: { main: folder('app/index.html') } },
  },
});
