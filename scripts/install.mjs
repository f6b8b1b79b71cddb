import './checkNode.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..');

/** The folder of what only `npm run test:everywhere` needs: checks of the packed library, React 18. Its steps install it. */
export const packageChecks = path.join(root, 'scripts/packageChecks');

/** Installs the locked dependencies of a package when there are none yet, or when the lockfile is newer than they are. */
export function installIfNeeded(folder = root) {
  const lockfile = path.join(folder, 'package-lock.json');
  // npm writes this file at the end of each install.
  const installed = path.join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs) return;
  const name = path.relative(root, folder);
  console.log(
    `Installing dependencies${name === '' ? '' : ` of ${name}`} (npm ci), which may take a minute…`,
  );
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
