/**
 * The documentation as a site. `npm run docs` serves it, follows changes and prints the address; `npm run docs:build`
 * writes it to `docs/.vitepress/dist`. Installs what is missing: the site is a package of its own, in `docs/`.
 */
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

async function run(packageName, ...args) {
  const { code } = await node([binary(packageName, packageName, docs), ...args], { cwd: docs, timeout: 0 });
  if (code !== 0) process.exit(code);
}

await run('typedoc', '--options', 'typedoc.mjs');
await run('vitepress', command, '.', ...options);
