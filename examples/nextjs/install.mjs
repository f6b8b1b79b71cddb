/** Installs what the example needs: the locked packages, and the library as `scripts/pack.mjs` has packed it. */
import { spawnSync } from 'node:child_process';
import { tarball } from '../../scripts/pack.mjs';

// Not `npm ci`: Next.js has optional packages for other systems, and npm locks only those that the registry offered.
const { status } = spawnSync(
  'npm',
  ['install', '--no-save', '--prefer-offline', tarball],
  {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
);
process.exitCode = status ?? 1;
