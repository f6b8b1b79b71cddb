#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, preview } from 'vite';

const { values, positionals } = parseArgs({
  options: {
    port: { type: 'string', default: '8090' },
    'api-port': { type: 'string', default: '8091' },
    api: { type: 'string' },
    out: { type: 'string', default: 'dist' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});

if (values.help) {
  console.log(`node examples/conduit/start.mjs [--port 8090] [--api-port 8091] [-- FLAGS]

Builds the app, serves it, and starts the server of its API with these flags (see server.mjs --help).

  --api URL    uses a server that runs already
  --out DIR    of the build: dist`);
  process.exit(0);
}

const ownApi = `http://localhost:${values['api-port']}/api`;
process.env.VITE_API = values.api ?? ownApi;
// Whatever NODE_ENV the caller has (a test, for example), the production build is served.
process.env.NODE_ENV = 'production';

const configFile = fileURLToPath(new URL('vite.config.mjs', import.meta.url));
const outDir = { outDir: values.out, emptyOutDir: true };
await build({ configFile, logLevel: 'warn', build: outDir });
const app = await preview({
  configFile,
  build: outDir,
  preview: { port: Number(values.port), strictPort: true },
});
const api = values.api === undefined ? startApi() : undefined;
console.log(`Conduit on http://localhost:${values.port}`);
if (api !== undefined)
  console.log(`Sign in as ada@example.com with the password “password”.
Stop the API with  kill ${api.pid}  and go on: reload, write, open another tab.`);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => {
    api?.removeAllListeners('exit').kill();
    void app.close().then(() => process.exit(0));
  });

/** A process of its own, so that it can be stopped while the app goes on. */
function startApi() {
  const script = fileURLToPath(new URL('server.mjs', import.meta.url));
  const args = [script, '--port', values['api-port'], ...positionals];
  return spawn(process.execPath, args, { stdio: 'inherit' }).once('exit', () => {
    console.log(`The API is gone. Bring it back with:  node ${args.join(' ')}`);
  });
}
