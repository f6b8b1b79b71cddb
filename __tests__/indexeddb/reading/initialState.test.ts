import { expect, it } from '@jest/globals';
import { Controller, deserialize, Endpoint, serialize } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { Note } from '../../support/entities.ts';
import { freshIndexedDB } from '../../support/indexedDB.ts';

freshIndexedDB();

/** What the server has. */
let version = 1;
const options = { dataExpiryLength: Infinity };
const getInfo = new Endpoint(async () => ({ version }), { name: 'getInfo', ...options });
const getNotes = new Endpoint(
  async () =>
    Array.from({ length: version }, (_, index) => ({ id: `${index}`, text: `of version ${version}` })),
  { name: 'getNotes', schema: [Note], ...options },
);

it.each(['progressive', 'lazy'] as const)(
  'a page from a cache, whose initial state is older than the disk, shows what the disk has (%s)',
  async (restore) => {
    version = 1;
    let now = 1_000;
    const server = new Controller({ now: () => now });
    await server.fetch(getInfo);
    await server.fetch(getNotes);
    const page = serialize(server);
    const open = async (): Promise<Controller> => {
      now += 60_000;
      const initialState = deserialize(page);
      const plugins = [indexedDB({ name: 'app', restore })];
      const controller = new Controller({ now: () => now, initialState, plugins });
      await controller.ready;
      await controller.restored;
      return controller;
    };
    const first = await open();
    version = 2;
    await first.fetch(getInfo);
    await first.fetch(getNotes);
    await first.stop();
    const second = await open();
    expect(second.getResponse(getInfo).data).toEqual({ version: 2 });
    expect(second.getResponse(getNotes).data?.map(({ text }) => text)).toEqual([
      'of version 2',
      'of version 2',
    ]);
    await second.stop();
  },
);
