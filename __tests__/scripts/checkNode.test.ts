import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** Runs before a script: from then on, Node.js says that it is an older one. */
const older = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.1' } })",
)}`;

it.each([
  'scripts/start.mjs',
  'scripts/test.mjs',
  'scripts/everywhere.mjs',
  'scripts/docs.mjs',
  'bench/install.mjs',
])('%s says in one sentence that Node.js is too old, before it installs anything', (script) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', older, script], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000, // ms: without the check, some of them would serve until they are stopped
  });
  expect({ status, stdout, stderr: stderr.trim() }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Holdfast needs Node.js 20.19 or newer; this is 20.18.1.',
  });
});
