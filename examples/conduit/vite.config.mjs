import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Writes `sw.js`: the service worker, with the names of the files that it keeps. */
const shell = {
  name: 'shell',
  generateBundle(_options, bundle) {
    const built = Object.keys(bundle).filter((name) => name !== 'index.html');
    const files = ['/', ...built.map((name) => `/${name}`)];
    // Their names carry a hash of what is in them.
    const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
    const source = readFileSync(new URL('src/sw.js', import.meta.url), 'utf8')
      .replace('[/* files */]', JSON.stringify(files))
      .replace('development', version);
    this.emitFile({ type: 'asset', fileName: 'sw.js', source });
  },
};

export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), shell],
};
