/**
 * Packs the built library as npm would publish it and unpacks it into `.tmp/consumer/node_modules/holdfast`,
 * where the checks of the package, the sizes and the built-package tests use it as an app does. Its dependencies
 * are found further up, in the repository's own node_modules.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

export const consumer = path.join(root, '.tmp/consumer');
export const unpacked = path.join(consumer, 'node_modules/holdfast');
export const tarball = path.join(root, '.tmp/holdfast.tgz');

if (process.argv[1] === import.meta.filename) {
  rmSync(consumer, { recursive: true, force: true });
  mkdirSync(path.dirname(unpacked), { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', '.tmp'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [{ filename }] = Object.values(JSON.parse(packed));
  renameSync(path.join(path.dirname(tarball), filename), tarball);
  execFileSync('tar', ['-xzf', tarball, '-C', path.dirname(unpacked)]);
  renameSync(path.join(path.dirname(unpacked), 'package'), unpacked);
  writeFileSync(path.join(consumer, 'package.json'), '{ "name": "consumer", "private": true }\n');
  const { version } = JSON.parse(readFileSync(path.join(unpacked, 'package.json'), 'utf8'));
  console.log(`packed holdfast ${version}`);
}
