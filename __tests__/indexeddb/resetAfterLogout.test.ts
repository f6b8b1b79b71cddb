import { describe, expect, it } from '@jest/globals';
import { Controller, Endpoint } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { answering, Article, DATABASE, freshIndexedDB, pause, records } from '../support/indexedDB.ts';
import { PluginWithSide } from '../support/PluginWithSide.ts';

freshIndexedDB();

const SECRET = 'correct horse battery staple';
const STORES = ['log', 'shards', 'results', 'outbox', 'meta'];

interface Tab {
  readonly controller: Controller;
  readonly plugin: PluginWithSide;
}

function open(): Tab {
  const plugin = new PluginWithSide(
    ({ action }) => (action.type === 'setResponse' ? [['entry', SECRET]] : undefined),
    { name: DATABASE, persist: 'all' },
    { compactAt: { records: 2, rows: 8 } },
  );
  return { plugin, controller: new Controller({ plugins: [plugin, tabs({ name: DATABASE })] }) };
}

function inMemory({ controller }: Tab): string {
  const { tables, results } = controller.getState();
  const rows = Object.values(tables).map((table) => [...table.entries()]);
  return JSON.stringify([rows, [...results.entries()]]);
}

async function onDisk(): Promise<string> {
  const found = await Promise.all(STORES.map((store) => records(store)));
  return JSON.stringify(found);
}

describe('after a log-out', () => {
  it('after a log-out nothing of the user is in memory, on disk or in another tab, and a late response restores nothing', async () => {
    const list = Array.from({ length: 20 }, (_, id) => ({
      id: `a${id}`,
      title: SECRET,
      author: { id: 'u1' },
    }));
    const getList = answering('list', [Article], list);
    let answer: (value: unknown) => void = () => undefined;
    const late = new Endpoint(() => new Promise<unknown>((resolve) => (answer = resolve)), {
      name: 'late',
      schema: Article,
      dataExpiryLength: Infinity,
    });
    const [first, second] = [open(), open()];
    await Promise.all([first.controller.ready, second.controller.ready]);

    // In shards, results and records of another plugin, …
    for (let round = 0; round < 4; round++) {
      first.controller.setResponse(getList, list);
      first.controller.set(Article, { id: `a${round}` }, { body: `${SECRET} ${round}` });
      await first.controller.flush();
    }
    while ((await records('shards')).length === 0) await pause(5);
    // … in the log, pending, in another tab, and on its way.
    first.controller.set(Article, { id: 'a5' }, { body: SECRET });
    await first.controller.flush();
    await second.controller.fetchIfStale(getList);
    expect(inMemory(second)).toContain(SECRET);
    expect(await onDisk()).toContain(SECRET);
    second.controller.set(Article, { id: 'a6' }, { body: SECRET });
    first.controller.set(Article, { id: 'a7' }, { body: SECRET });
    const coming = first.controller.fetch(late);
    const refused = expect(coming).rejects.toMatchObject({ code: 'HF_RESET' });

    await first.controller.reset();
    answer({ id: 'a8', title: SECRET, author: { id: 'u1' } });
    await refused;
    await Promise.allSettled([first.controller.flush(), second.controller.flush()]);
    while (inMemory(second).includes(SECRET)) await pause(1);
    await second.controller.catchUp();
    await Promise.allSettled([first.controller.flush(), second.controller.flush()]);

    expect(inMemory(first)).not.toContain(SECRET);
    expect(inMemory(second)).not.toContain(SECRET);
    expect(await onDisk()).not.toContain(SECRET);
    const third = open();
    await third.controller.restored;
    expect(inMemory(third)).not.toContain(SECRET);
    expect(await third.plugin.side('outbox')).toEqual([]);
    await Promise.all([first, second, third].map(({ controller }) => controller.stop()));
    expect(await onDisk()).not.toContain(SECRET);
  });
});
