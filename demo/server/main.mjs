#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { commandLine } from './commandLine.mjs';
import { startServer } from './startServer.mjs';

const values = commandLine(
  'node demo/server/main.mjs [--port 8081] [--data FILE] [--latency MS] [--origin URL]… [--log]',
  {
    port: { type: 'string', default: process.env.PORT ?? '8081' },
    data: {
      type: 'string',
      default: process.env.DATA_FILE ?? fileURLToPath(new URL('../.data/db.json', import.meta.url)),
    },
    latency: { type: 'string', default: process.env.LATENCY ?? '0' },
    origin: { type: 'string', multiple: true, default: [] },
    log: { type: 'boolean', default: false },
  },
  ['port', 'latency'],
);

const server = await startServer({
  port: Number(values.port),
  dataFile: values.data,
  latency: Number(values.latency),
  origins: values.origin,
  // One line of JSON each, so that one can watch what arrives, and in which order.
  ...(values.log && { log: (line) => console.log(JSON.stringify(line)) }),
}).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(`REST server on ${server.url}`);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    server.close().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
