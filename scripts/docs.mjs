/**
 * The documentation as a site. `npm run docs` serves it, follows changes and prints the address; `npm run docs:build`
 * writes it to `docs/.vitepress/dist`. Installs what is missing: the site is a package of its own, in `docs/`.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { installIfNeeded, root } from './install.mjs';

const docs = path.join(root, 'docs');
const [command = 'dev', ...options] = process.argv.slice(2);

installIfNeeded();
installIfNeeded(docs);
const { binary, node } = await import('./run.mjs');
const { copies } = await import('../docs/.vitepress/pages.mjs');

for (const [original, copy] of Object.entries(copies)) {
  const place = path.join(docs, copy);
  mkdirSync(path.dirname(place), { recursive: true });
  copyFileSync(path.join(root, original), place);
}

console.log('Making the API reference…');
const { code } = await node([binary('typedoc', 'typedoc', docs), '--options', 'typedoc.mjs'], { cwd: docs });
if (code !== 0) process.exit(code);

const site = spawn(process.execPath, [binary('vitepress', 'vitepress', docs), command, '.', ...options], {
  cwd: docs,
  stdio: 'inherit',
});
// Ctrl+C reaches the whole process group by itself; a signal sent to this process alone is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => site.kill(signal));
site.on('exit', (exitCode, signal) => {
  process.exitCode = signal === null ? (exitCode ?? 1) : 0;
});
