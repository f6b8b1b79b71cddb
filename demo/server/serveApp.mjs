#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startStatic } from './startStatic.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.PORT ?? '8080' },
    api: { type: 'string', default: process.env.API ?? 'http://localhost:8081' },
    root: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
  },
});

const server = await startStatic({ root: values.root, port: Number(values.port), api: values.api });
console.log(`App on ${server.url}`);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void server.close().then(() => process.exit(0)));
}
