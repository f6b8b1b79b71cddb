#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { defaults } from './server/settings.mjs';
import { startServer } from './server/startServer.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8091' },
    data: { type: 'string' },
    log: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },

    latency: { type: 'string', default: '0' },
    errors: { type: 'string', default: '0' },
    'drop-before': { type: 'string', default: '0' },
    'drop-after': { type: 'string', default: '0' },
    hang: { type: 'string', default: '0' },
    portal: { type: 'boolean', default: false },
    'token-lifetime': { type: 'string', default: '0' },
    'no-cors': { type: 'boolean', default: false },
    'cors-headers': { type: 'string', default: defaults.corsHeaders },
    'no-idempotency': { type: 'boolean', default: false },
    'list-bodies': { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(`node examples/conduit/server.mjs

  --port 8091             0 for any free one
  --data FILE             keeps everything in a JSON file; without it, in memory
  --log                   prints a line of JSON for each request
  --latency MS            before each answer
  --errors SHARE          of requests that get a 503, from 0 to 1
  --drop-before SHARE     of requests whose connection ends before anything is done
  --drop-after SHARE      of requests that are carried out and get no answer
  --hang SHARE            of requests that are never answered
  --portal                every request gets a login page of HTML with status 200
  --token-lifetime S      seconds until a token expires; 0 for never
  --no-cors               pages of other origins are not allowed
  --cors-headers LIST     the headers they may send: ${defaults.corsHeaders}
  --no-idempotency        Idempotency-Key is ignored
  --list-bodies           lists of articles have their bodies

GET /control shows the settings and the requests so far. PATCH /control changes settings while it runs, such as
{ "portal": true }, { "next": [{ "kind": "dropAfter", "method": "POST" }] }, { "expireTokens": true }.`);
  process.exit(0);
}

const server = await startServer({
  port: Number(values.port),
  ...(values.data !== undefined && { file: values.data }),
  ...(values.log && { log: (line) => console.log(JSON.stringify(line)) }),
  latency: Number(values.latency),
  errors: Number(values.errors),
  dropBefore: Number(values['drop-before']),
  dropAfter: Number(values['drop-after']),
  hang: Number(values.hang),
  portal: values.portal,
  tokenLifetime: Number(values['token-lifetime']),
  cors: !values['no-cors'],
  corsHeaders: values['cors-headers'],
  idempotency: !values['no-idempotency'],
  listBodies: values['list-bodies'],
});
console.log(`Conduit API on ${server.url}`);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => void server.close().then(() => process.exit(0)));
