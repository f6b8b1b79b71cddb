import { afterEach, expect, it, jest } from '@jest/globals';
import { Entity } from 'holdfast';
import { answering, freshIndexedDB, openApp } from '../../support/indexedDB.ts';

freshIndexedDB();

class Log extends Entity {
  id = '';
  title = '';
  lines: readonly string[] = [];
  static override key = 'Log';
  static override merge(existing: Record<string, unknown>, incoming: Record<string, unknown>) {
    if (existing['id'] === isBroken) throw new TypeError('lines is not iterable');
    return { ...existing, ...incoming };
  }
}

let isBroken = '';
const logs = ['a', 'b', 'c'].map((id) => ({ id, title: `title ${id}`, lines: [id] }));
const getLogs = answering('getLogs', [Log], logs);

let reported: jest.SpiedFunction<typeof console.error>;

async function stored(): Promise<void> {
  reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const app = await openApp();
  await app.controller.fetch(getLogs);
  await app.leave();
  isBroken = 'b';
}

afterEach(() => {
  isBroken = '';
  reported.mockRestore();
});

it('a read has the other rows when merge throws for one of them', async () => {
  await stored();
  const { controller } = await openApp({ restore: 'lazy' });
  controller.set(Log, { id: 'b' }, { id: 'b', title: 'newer' });
  const titles = (await controller.fetchIfStale(getLogs)).map(({ title }) => title);
  expect(titles).toEqual(['title a', 'newer', 'title c']);
  expect(reported).toHaveBeenCalledWith(expect.any(TypeError));
});

it('a flush keeps the stored fields of the other rows when merge throws for one of them', async () => {
  await stored();
  const app = await openApp({ restore: 'lazy' });
  for (const id of ['a', 'b', 'c']) app.controller.set(Log, { id }, { id, title: 'newer' });
  await app.controller.flush().catch(() => undefined);
  await app.controller.flush();
  await app.leave();
  isBroken = '';
  const { controller } = await openApp();
  await controller.restored;
  expect(controller.getResponse(getLogs).data?.map(({ title, lines }) => [title, lines])).toEqual([
    ['newer', ['a']],
    ['newer', []],
    ['newer', ['c']],
  ]);
});

it('the background restore brings the other rows when merge throws for one of them', async () => {
  await stored();
  const app = await openApp();
  app.controller.set(Log, { id: 'b' }, { id: 'b', title: 'newer' });
  await app.controller.restored;
  expect(app.controller.getResponse(getLogs).data).toHaveLength(3);
  expect(app.errors).toEqual([]);
});
