import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Terminal } from './Terminal.ts';

const root = path.join(__dirname, '../..');
/** What `scripts/pack.mjs` has made: the package as it would be published, and unpacked. */
const tarball = path.join(root, '.tmp/holdfast.tgz');
const unpacked = path.join(root, '.tmp/consumer/node_modules/holdfast');

if (!existsSync(tarball)) throw new Error('The packed library is not there; run: npm test -- build examples');

/**
 * `npm install`, with our tarball as `holdfast`. Where neither the registry nor npm's cache has the rest, the packages
 * that this repository has installed are put there instead.
 */
export async function install(command: string, terminal: Terminal, folder: string): Promise<void> {
  try {
    await terminal.run(command.replace(/\bholdfast\b/, tarball));
  } catch (error) {
    if (!/ENOTCACHED|ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|FETCH_ERROR/.test(String(error)))
      throw error;
    console.warn('No package registry: what is installed here is used in its place.');
    for (const name of command.split(' ').slice(2)) if (!name.startsWith('-')) putThere(name, folder);
  }
}

function putThere(name: string, folder: string): void {
  const modules = path.join(folder, 'node_modules');
  const target = path.join(modules, name);
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  if (name === 'holdfast') cpSync(unpacked, target, { recursive: true });
  else link(path.join(root, 'node_modules', name), target);
  const { bin = {}, dependencies = {} } = JSON.parse(
    readFileSync(path.join(target, 'package.json'), 'utf8'),
  ) as { bin?: Record<string, string>; dependencies?: Record<string, string> };
  for (const [command, file] of Object.entries(bin))
    link(path.join(target, file), path.join(modules, '.bin', command));
  // Those of a linked package are found where it really lies.
  if (name === 'holdfast') for (const dependency of Object.keys(dependencies)) putThere(dependency, folder);
}

function link(target: string, place: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(target, place);
}
