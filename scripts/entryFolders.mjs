import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { entries } from './entries.mjs';
import { root } from './install.mjs';

/**
 * For the build: folders for what does not know `exports`, such as Parcel and Metro as they come, webpack 4, and
 * TypeScript's `node10`. They look for `holdfast/react` in a folder of that name, so each entry gets one, whose
 * package.json leads to `dist`.
 */
export const entryFolders = {
  name: 'entry-folders',
  writeBundle() {
    for (const name of Object.keys(entries)) {
      if (name === 'index') continue; // package.json itself
      const folder = path.join(root, name);
      const file = `../dist/${name}`;
      const manifest = {
        type: 'module',
        sideEffects: false,
        main: `${file}.cjs`,
        module: `${file}.js`,
        types: `${file}.d.ts`,
      };
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    }
  },
};
