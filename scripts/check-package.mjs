/** Checks the packed library as npm would publish it: its manifest, its files, and how its types resolve. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { entries } from './entries.mjs';
import { installIfNeeded, packageChecks, root } from './install.mjs';
import { tarball, unpacked } from './pack.mjs';
import { binary, node } from './run.mjs';

installIfNeeded(packageChecks);
const { formatMessage, publint } = await import('./packageChecks/publint.mjs');

const problems = [];

const manifest = JSON.parse(readFileSync(path.join(unpacked, 'package.json'), 'utf8'));
const expected = Object.keys(entries).map((name) => (name === 'index' ? '.' : `./${name}`));
const exported = Object.keys(manifest.exports).filter((name) => name !== './package.json');
if (exported.sort().join() !== expected.sort().join()) {
  problems.push(`package.json exports ${exported.join(', ')}, but ${expected.join(', ')} are built`);
}

const { messages } = await publint({ pkgDir: unpacked, strict: true });
for (const message of messages) problems.push(`publint: ${formatMessage(message, manifest)}`);

const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name));
const folders = Object.keys(entries).flatMap((name) => (name === 'index' ? [] : [`${name}/package.json`]));
for (const file of files) {
  const name = path.relative(unpacked, file);
  if (
    !folders.includes(name) &&
    !/^(?:dist\/.+\.(?:c?js|c?js\.map|d\.c?ts)|docs\/errors\.md|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(
      name,
    )
  ) {
    problems.push(`${name} does not belong in the package`);
  }
  if (readFileSync(file, 'utf8').includes(root)) problems.push(`${name} names a path of this machine`);
}
for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs/errors.md', ...folders]) {
  if (!files.includes(path.join(unpacked, name))) problems.push(`${name} is missing from the package`);
}

const attw = await node([binary('@arethetypeswrong/cli', 'attw', packageChecks), tarball, '--no-color'], {
  capture: true,
});
if (attw.code !== 0) problems.push(`@arethetypeswrong/cli:\n${attw.output}`);

for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? `${files.length} files, no problem` : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
