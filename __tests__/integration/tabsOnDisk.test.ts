import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  createResource,
  Entity,
  type HoldfastError,
  type Restored,
  type StoragePlugin,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { Held } from '../support/held.ts';
import { freshIndexedDB } from '../support/indexedDB.ts';
import { until } from '../support/turns.ts';
import { Network } from '../tabs/network.ts';
import { Note } from '../support/entities.ts';

freshIndexedDB();

let network: Network;
let now = 1_000;
let errors: HoldfastError[] = [];
let opened: Controller[] = [];

beforeEach(() => {
  network = new Network();
  network.install();
  errors = [];
});
afterEach(async () => {
  await Promise.all(opened.map((tab) => tab.stop()));
  opened = [];
  network.restore();
  expect(errors).toEqual([]);
});

async function open(): Promise<Controller> {
  now += 1;
  const onError = (error: HoldfastError): void => void errors.push(error);
  const tab = new Controller({
    now: () => now,
    plugins: [indexedDB({ name: 'app', persist: 'all', onError }), tabs({ name: 'app', onError })],
  });
  opened.push(tab);
  await tab.restored;
  await network.deliver();
  return tab;
}

function write(tab: Controller, id: string, text: string): void {
  now += 1;
  tab.set(Note, { id }, { id, text });
}

function texts(tab: Controller): readonly (string | undefined)[] {
  return ['1', '2', '3'].map((id) => tab.get(Note, { id })?.text);
}

describe('two tabs on one disk', () => {
  it('two tabs find on disk what either has committed', async () => {
    const [first, second] = [await open(), await open()];
    write(first, '1', 'from the first');
    await network.deliver();
    write(second, '2', 'from the second');
    await network.deliver();
    expect(texts(first)).toEqual(texts(second));
    await Promise.all([first.flush(), second.flush()]);
    await Promise.all([first.stop(), second.stop()]);
    expect(texts(await open())).toEqual(['from the first', 'from the second', undefined]);
  });

  it('a list that is read from disk contains what another tab has added to it in the meantime, and not written yet', async () => {
    const { create, getList } = createResource({
      urlPrefix: 'https://example.com',
      path: '/notes/:id',
      schema: Note,
      dataExpiryLength: Infinity,
    });
    const earlier = new Controller({ now: () => now });
    earlier.setResponse(getList, [{ id: '1', text: 'stored' }]);
    const { tables, results } = earlier.getState();
    const stored: Restored = {
      rows: Object.entries(tables).flatMap(([table, rows]) =>
        [...rows.entries()].map(([pk, row]) => [table, pk, row] as const),
      ),
      results: [...results.entries()],
    };
    const disk = new Held();
    const reading: StoragePlugin = {
      name: 'disk',
      restore: () => disk.fetch() as Promise<Restored>, // resolved with one below
    };
    const first = await open();
    const second = new Controller({ now: () => now, plugins: [reading, tabs({ name: 'app' })] });
    opened.push(second);
    await network.deliver();
    const read = second.fetchIfStale(getList);
    await until(() => disk.calls.length > 0);
    now += 1;
    first.setResponse(create, { text: 'added' }, { id: '2', text: 'added' });
    await network.deliver();
    disk.call(0).resolve(stored);
    await read;
    expect(second.getResponse(getList).data?.map(({ text }) => text)).toEqual(['stored', 'added']);
  });

  it('two tabs on one disk continue after a reset of either, and nothing from before it is restored', async () => {
    const [first, second] = [await open(), await open()];
    write(first, '1', 'secret');
    write(second, '2', 'secret');
    await network.deliver();
    await Promise.all([first.flush(), second.flush()]);
    now += 1;
    const resetting = first.reset();
    await network.deliver();
    expect(texts(second)).toEqual([undefined, undefined, undefined]);
    await resetting;
    write(second, '2', 'after');
    await network.deliver();
    write(first, '3', 'after');
    await network.deliver();
    await Promise.all([first.flush(), second.flush()]);
    expect([texts(first), texts(second)]).toEqual([[undefined, 'after', 'after'], [undefined, 'after', 'after']]); // oxfmt-ignore
    await Promise.all([first.stop(), second.stop()]);
    expect(texts(await open())).toEqual([undefined, 'after', 'after']);
  });

  it('two tabs read from disk the changes that a sender no longer remembers', async () => {
    const [first, second] = [await open(), await open()];
    write(second, '1', 'old');
    await network.deliver();
    await Promise.all([first.flush(), second.flush()]);
    write(first, '1', 'missed');
    await network.lose();
    await first.flush();
    now += 60_001;
    write(first, '2', 'heard');
    const caughtUp = new Promise((resolve) => second.watch(Note, { id: '1' }, resolve));
    await network.deliver();
    await caughtUp;
    expect(texts(second)).toEqual(['missed', 'heard', undefined]);
  });
});

describe('a merge that accumulates values', () => {
  class Basket extends Entity {
    id = '';
    items: readonly string[] = [];
    static override key = 'Basket';
    static override merge(existing: { items?: readonly string[] }, incoming: { items?: readonly string[] }) {
      return { ...existing, ...incoming, items: [...(existing.items ?? []), ...(incoming.items ?? [])] };
    }
  }
  const put = (tab: Controller, item: string): void => {
    now += 1;
    tab.set(Basket, { id: '1' }, { id: '1', items: [item] });
  };
  const items = (tab: Controller): readonly string[] | undefined => tab.get(Basket, { id: '1' })?.items;

  it('a merge accumulates once what two tabs have stored', async () => {
    const [first, second] = [await open(), await open()];
    put(first, 'x');
    put(first, 'y');
    await network.deliver();
    await second.flush();
    await first.flush();
    await Promise.all([first.stop(), second.stop()]);
    expect(items(await open())).toEqual(['x', 'y']);
  });

  it('a merge runs gather once for a notified row after another tab has stored an older version', async () => {
    const [first, second] = [await open(), await open()];
    put(first, 'x');
    await network.deliver();
    await first.flush();
    put(first, 'y');
    await network.deliver();
    await second.flush();
    await first.flush();
    expect([items(first), items(second)]).toEqual([['x', 'y'], ['x', 'y']]); // oxfmt-ignore
    await Promise.all([first.stop(), second.stop()]);
    expect(items(await open())).toEqual(['x', 'y']);
  });
});
