#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build.mjs';
import { commandLine } from './server/commandLine.mjs';
import { freePort } from './server/freePort.mjs';
import { startStatic } from './server/startStatic.mjs';

const values = commandLine(
  'node demo/start.mjs [--port 8080] [--api-port 8081] [--latency MS] [--data FILE]',
  {
    port: { type: 'string', default: '8080' },
    'api-port': { type: 'string', default: '8081' },
    latency: { type: 'string', default: '0' },
    data: { type: 'string' },
  },
  ['port', 'api-port', 'latency'],
);

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

await buildIfNeeded();

const appPort = await freePort(Number(values.port));
const apiPort = await freePort(Math.max(Number(values['api-port']), appPort + 1));

const options = [
  ...['--port', String(apiPort)],
  ...(values.latency === '0' ? [] : ['--latency', values.latency]),
  ...(values.data === undefined ? [] : ['--data', values.data]),
];
// A process of its own, so that it can be stopped while the app continues.
const api = spawn(process.execPath, [path('server/main.mjs'), ...options], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const restart = ['node demo/server/main.mjs', ...options.map(quoted)].join(' ');
let hasStarted = false;
let stopping = false;
api.once('exit', () => {
  if (hasStarted && !stopping) {
    console.log(`\nThe REST server (process ${api.pid}) has stopped. The app still works; reload it to see.`);
    console.log(`Bring the server back with:  ${restart}\n`);
  }
});
const line = await Promise.race([
  once(createInterface(api.stdout), 'line').then(([first]) => first),
  once(api, 'exit').then(() => undefined),
]);
// It has printed the reason.
if (line === undefined) process.exit(1);
hasStarted = true;
const apiUrl = String(line).replace(/^.*(http)/, '$1');
const app = await startStatic({ root: path('dist'), port: appPort, api: apiUrl });

// After all that can fail, so that nobody looks for an app that did not start.
sayIfTaken(values.port, appPort, 'the app');
if (appPort < Number(values['api-port'])) sayIfTaken(values['api-port'], apiPort, 'the REST server');

printBox([
  `App          ${app.url}`,
  `REST server  ${apiUrl}   (process ${api.pid})`,
  '',
  'Open a project and an issue, then',
  `  1.  stop the server:      kill ${api.pid}`,
  '  2.  reload the page:      everything is there, at once',
  `  3.  start it again:       ${restart}`,
  '  4.  edit something:       it is on the server',
  '',
  'Press ? in the app for the keys. Ctrl-C here stops both.',
]);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  // Ctrl-C comes twice: from the terminal, and from `npm start`, which passes signals on.
  process.on(signal, () => void (stopping || stop()));
}

async function stop() {
  stopping = true;
  const gone = api.exitCode === null && api.signalCode === null ? once(api, 'exit') : undefined;
  api.kill('SIGTERM');
  await Promise.all([gone, app.close()]);
  process.exit(0);
}

/**
 * @param {string} wanted
 * @param {number} port
 * @param {string} what
 */
function sayIfTaken(wanted, port, what) {
  if (port !== Number(wanted)) console.log(`Port ${wanted} is taken; ${what} is on ${port}.`);
}

/**
 * @param {string} word
 * @returns {string} as shells read it, also a path with spaces
 */
function quoted(word) {
  return /[^\w./:\\-]/.test(word) ? `"${word}"` : word;
}

/** @param {string[]} lines */
function printBox(lines) {
  const width = Math.max(...lines.map((text) => text.length)) + 2;
  console.log(`\n  ┌${'─'.repeat(width + 2)}┐`);
  for (const text of lines) console.log(`  │  ${text.padEnd(width)}│`);
  console.log(`  └${'─'.repeat(width + 2)}┘\n`);
}
