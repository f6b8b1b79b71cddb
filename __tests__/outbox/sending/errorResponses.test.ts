import 'fake-indexeddb/auto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, NetworkError } from 'holdfast';
import { outbox, type OutboxOptions, type OutboxPlugin } from 'holdfast/outbox';
import { Note } from '../../support/entities.ts';

/** A real server, since aborting a request also ends the body of a response that has arrived. */
let server: Server;
let urlPrefix: string;
let controller: Controller;
let received: unknown[];

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  received = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as { version: number };
      received.push(body);
      const isCurrent = body.version === 2;
      response.writeHead(isCurrent ? 200 : 409, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: '1', text: 'theirs', ...(isCurrent && body), version: 2 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  urlPrefix = `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
});

afterEach(async () => {
  await controller.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const open = (options: Partial<OutboxOptions>): { box: OutboxPlugin; save: () => Promise<unknown> } => {
  const body = {} as { readonly text: string; readonly version: number }; // a type
  const { partialUpdate } = createResource({ urlPrefix, path: '/notes/:id', schema: Note, body });
  const box = outbox({ endpoints: [partialUpdate], ...options });
  controller = new Controller({ plugins: [box] });
  return { box, save: () => controller.fetch(partialUpdate, { id: '1' }, { text: 'mine', version: 1 }) };
};

it('onConflict can read the body of the response', async () => {
  const { save } = open({
    async onConflict({ args }, response) {
      const { version } = (await response!.json()) as { version: number };
      return { args: [args[0], { ...(args[1] as object), version }] };
    },
  });
  expect(await save()).toMatchObject({ text: 'mine' });
  expect(received).toEqual([
    { text: 'mine', version: 1 },
    { text: 'mine', version: 2 },
  ]);
});

it('a caller can read the body of the response with which its mutation was rejected', async () => {
  const { save } = open({});
  const error = await save().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  expect(await (error as NetworkError).response?.json()).toMatchObject({ text: 'theirs', version: 2 });
});
