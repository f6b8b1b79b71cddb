/** `npm start`: installs and builds what is missing or out of date, then serves the demo with its REST server. */
import './checkNode.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { installIfNeeded, root } from './install.mjs';
import { newest } from './newest.mjs';

installIfNeeded();
const { binary } = await import('./run.mjs');

const sources = ['src', 'plugins', 'rollup.config.mjs', 'tsconfig.json', 'package-lock.json'];
const built = path.join(root, 'dist/index.js');
const isBuilt =
  existsSync(built) &&
  statSync(built).mtimeMs > Math.max(...sources.map((name) => newest(path.join(root, name))));

if (!isBuilt) {
  console.log('Building the library…');
  const { status } = spawnSync(process.execPath, [binary('rollup'), '-c', '--silent', '--configEsmOnly'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

const demo = spawn(process.execPath, [path.join(root, 'demo/start.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
// Ctrl+C reaches the whole process group by itself; a signal sent to this process alone is passed on. Either way
// this process stays until the demo has closed its servers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => demo.kill(signal));
demo.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 0;
});
