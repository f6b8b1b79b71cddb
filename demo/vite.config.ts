import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tells the service worker which files the shell is made of, and a version that changes when any of them does. */
function shell(publicFolder: string, api: string): Plugin {
  return {
    name: 'shell',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const hash = createHash('sha256');
        const files: string[] = [];
        for (const [name, file] of Object.entries(bundle)) {
          if (name === 'sw.js' || name.endsWith('.map')) continue;
          files.push(name);
          hash.update(name).update(file.type === 'chunk' ? file.code : file.source);
        }
        for (const name of readdirSync(publicFolder)) {
          files.push(name);
          hash.update(name).update(readFileSync(`${publicFolder}/${name}`));
        }
        const worker = bundle['sw.js'];
        if (worker?.type !== 'chunk') throw new Error('The build has no service worker.');
        const constants = {
          SHELL_VERSION: hash.digest('hex').slice(0, 12),
          SHELL_FILES: files.map((name) => `/${name}`).sort(),
          SHELL_API: api,
        };
        const names = Object.entries(constants).map(
          ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
        );
        worker.code = `${names.join('\n')}\n${worker.code}`;
      },
    },
  };
}

export default defineConfig({
  root: folder('app'),
  plugins: [react(), shell(folder('app/public'), 'http://localhost:8081')],
  build: {
    outDir: folder('dist'),
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      input: { main: folder('app/index.html'), sw: folder('app/sw.ts') },
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});
