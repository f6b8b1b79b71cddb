/** Installs what the example needs: the locked packages, and the library as `scripts/pack.mjs` has packed it. */
import { spawnSync } from 'node:child_process';
import { installIfNeeded } from '../../scripts/install.mjs';
import { tarball } from '../../scripts/pack.mjs';

const cwd = import.meta.dirname;
installIfNeeded(cwd);
const { status } = spawnSync(
  'npm',
  ['install', '--no-save', '--prefer-offline', tarball],
  {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
);
process.exitCode = status ?? 1;
