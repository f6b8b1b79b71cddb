import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { installIfNeeded, root } from './install.mjs';
import { tarball } from './pack.mjs';
import { node } from './run.mjs';

/**
 * A step of `npm run test:everywhere` that uses the packed library: an app in `__tests__/everywhere`, with what it needs in
 * its own package.json and lockfile. It is copied to `.tmp/everywhere` and installed there beside the packed library; the
 * exit code of its `run.mjs` says whether it works.
 *
 * @param {string} name - of its folder
 */
export const app = (name) => ({
  after: ['build'],
  async run(capture) {
    const folder = path.join(root, '.tmp/everywhere', name);
    // With the time of the lockfile, which says whether to install.
    cpSync(path.join(root, '__tests__/everywhere', name), folder, {
      recursive: true,
      preserveTimestamps: true,
    });
    installIfNeeded(folder);
    const library = path.join(folder, 'node_modules/holdfast');
    rmSync(library, { recursive: true, force: true });
    mkdirSync(library);
    execFileSync('tar', ['-xzf', tarball, '-C', library, '--strip-components', '1']);
    const { code, output } = await node([path.join(folder, 'run.mjs')], { capture, cwd: folder });
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output };
  },
});
