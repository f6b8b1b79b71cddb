import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { api } from './api.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    /** The address of a REST server that runs already. */
    api: { type: 'string' },
  },
});

process.env.NEXT_TELEMETRY_DISABLED = '1';
process.env.NEXT_PUBLIC_API = values.api ?? 'http://localhost:4555';
if (values.api === undefined) createServer(api).listen(4555);

/**
 * Runs Next.js in this folder.
 *
 * @param {string[]} args
 * @returns {Promise<void>}
 */
const next = (...args) =>
  new Promise((resolve, reject) => {
    const script = [
      `${import.meta.dirname}/node_modules/next/dist/bin/next`,
      ...args,
    ];
    const child = spawn(process.execPath, script, {
      cwd: import.meta.dirname,
      stdio: 'inherit',
    });
    child.on('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`next ${args[0]} ended with ${code}`)),
    );
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
      process.once(signal, () => child.kill(signal));
  });

await next('build');
await next('start', '--port', values.port);
