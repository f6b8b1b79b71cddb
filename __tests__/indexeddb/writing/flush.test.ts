import { describe, expect, it } from '@jest/globals';
import { Delete, Endpoint } from 'holdfast';
import type { BatchRecord } from '../../../plugins/indexeddb/records/batchRecord.ts';
import {
  answering,
  Article,
  bytes,
  openApp,
  pause,
  records,
  requests,
  freshIndexedDB,
} from '../../support/indexedDB.ts';
import { User } from '../../support/entities.ts';

freshIndexedDB();

const list = Array.from({ length: 100 }, (_, index) => ({
  id: `a${index}`,
  title: `title ${index}`,
  body: 'x'.repeat(250),
  author: { id: `u${index % 5}`, name: 'Ann' },
}));
const getList = answering('getList', [Article], list);

async function log(): Promise<BatchRecord[]> {
  return (await records('log')) as BatchRecord[];
}
function pks({ rows }: BatchRecord): string[] {
  return rows.pk.map((pk, place) => `${rows.names[rows.table[place]!]} ${pk}`).sort();
}

describe('a flush', () => {
  it('a flush appends one record with exactly what changed', async () => {
    const { controller } = await openApp();
    await controller.fetch(getList);
    await controller.flush();
    const [all] = await log();
    expect(all?.rows.pk).toHaveLength(105);
    expect(all?.results.map(({ key }) => key)).toEqual([getList.key()]);

    controller.set(Article, { id: 'a7' }, { title: 'changed' });
    await controller.flush();
    const [, change, ...more] = await log();
    expect(pks(change!)).toEqual(['Article a7']);
    expect(change?.rows.value[0]).toMatchObject({ title: 'changed', body: 'x'.repeat(250), author: 'u2' });
    expect(change?.results).toEqual([]);
    expect(more).toEqual([]);
    expect(bytes(change)).toBeLessThan(1_024);
  });

  it('a flush writes each row once, in its final state', async () => {
    const { controller } = await openApp();
    await controller.fetch(getList);
    await controller.flush();
    for (let index = 0; index < 50; index++) controller.set(Article, { id: 'a1' }, { title: `t${index}` });
    controller.set(User, { id: 'u1' }, { name: 'Bea' });
    await controller.flush();
    const [, change, ...more] = await log();
    expect(pks(change!)).toEqual(['Article a1', 'User u1']);
    expect(change?.rows.value).toContainEqual(expect.objectContaining({ title: 't49' }));
    expect(more).toEqual([]);
  });

  it('changes are flushed automatically, once for those that come together', async () => {
    const { controller } = await openApp();
    await controller.fetch(getList);
    controller.set(User, { id: 'u1' }, { name: 'Bea' });
    while ((await log()).length === 0) await pause(5);
    await controller.flush();
    expect(await log()).toHaveLength(1);
  });

  it('a flush without changes writes nothing', async () => {
    const { controller } = await openApp();
    await controller.fetch(getList);
    await controller.flush();
    await controller.flush();
    controller.set(User, { id: 'u1' }, { name: 'Ann' }); // what it was
    await controller.flush();
    expect(await log()).toHaveLength(1);
  });

  it('a flush is durable when it resolves', async () => {
    const first = await openApp();
    await first.controller.fetch(getList);
    await first.controller.flush();
    // The first app is still running: nothing is written on leaving.
    const second = await openApp({ restore: 'lazy' });
    const data = await second.controller.fetchIfStale(getList);
    expect(data).toHaveLength(100);
    expect(requests).toEqual(['getList']);
  });

  it('a flush writes what was committed before the database was open', async () => {
    const app = openApp(); // not awaited
    await Promise.resolve();
    const { controller } = await app;
    controller.setResponse(getList, list);
    const early = controller.flush();
    await early;
    expect((await log())[0]?.rows.pk).toHaveLength(105);
  });

  it('a flush writes tombstones and later changes of their rows', async () => {
    const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
      name: 'remove',
      schema: new Delete(Article),
      sideEffect: true,
    });
    const first = await openApp();
    await first.controller.fetch(getList);
    await first.controller.fetch(remove, { id: 'a1' });
    await first.leave();

    const second = await openApp();
    const again = await second.controller.fetchIfStale(getList);
    expect(again).toHaveLength(99);
    expect(requests).toEqual(['getList']);
    expect(second.controller.get(Article, { id: 'a1' })).toBeUndefined();
    second.controller.set(Article, { id: 'a1' }, { id: 'a1', title: 'back' });
    await second.leave();

    const third = await openApp();
    await third.controller.restored;
    expect(third.controller.get(Article, { id: 'a1' })?.title).toBe('back');
  });

  it('a flush never writes errors, and keeps the data stored before them', async () => {
    const first = await openApp();
    await first.controller.fetch(getList);
    first.controller.setError(getList, new Error('offline'));
    await first.leave();
    const [batch] = await log();
    expect(batch?.results).toHaveLength(1);
    expect(batch?.results[0]).not.toHaveProperty('error');

    const second = await openApp();
    expect(await second.controller.fetchIfStale(getList)).toHaveLength(100);
    expect(requests).toEqual(['getList']);
    second.controller.setError(getList, new Error('offline'));
    await second.leave();
    expect(await log()).toHaveLength(1);
  });

  it('a flush persists an invalidation, also when an error followed', async () => {
    let calls = 0;
    const counted = new Endpoint(async () => (calls++, list), {
      name: 'counted',
      schema: [Article],
      dataExpiryLength: Infinity,
    });
    const first = await openApp();
    await first.controller.fetch(counted);
    await first.controller.flush();
    first.controller.invalidate(counted);
    first.controller.setError(counted, new Error('offline'));
    await first.leave();

    const second = await openApp();
    await second.controller.fetchIfStale(counted);
    expect(calls).toBe(2);
  });

  it('a flush leaves out only the row that cannot be cloned', async () => {
    const first = await openApp();
    await first.controller.fetch(getList);
    first.controller.set(Article, { id: 'a1' }, { tags: [() => 1] });
    await first.controller.flush();
    expect(first.errors.map(({ code }) => code)).toEqual(['HF_ROW_NOT_CLONABLE']);
    expect(first.errors[0]?.message).toContain('Article "a1"');
    const [batch] = await log();
    expect(batch?.rows.pk).toHaveLength(104);
    expect(batch?.results).toHaveLength(1);

    first.controller.set(Article, { id: 'a1' }, { tags: [1] });
    await first.controller.flush();
    expect(pks((await log())[1]!)).toEqual(['Article a1']);
  });
});
