import { describe, expect, it, jest } from '@jest/globals';
import { All, Controller, Endpoint, Entity, Query, Select } from 'holdfast';
import { Article } from '../../support/entities.ts';

const getList = new Endpoint(async (): Promise<unknown> => [], { name: 'getList', schema: [Article] });
const get = new Endpoint(async ({ id }: { id: number }): Promise<unknown> => ({ id }), {
  name: 'get',
  schema: Article,
});
const raw = new Endpoint(async (): Promise<unknown> => 1, { name: 'raw' });

function checked(degrees: number): number {
  if (degrees < 0) throw new RangeError('below absolute zero');
  return degrees;
}

class Reading extends Entity {
  id = '';
  degrees = 0;
  static override key = 'Reading';
  static override schema = { degrees: checked };
}

function filled(): Controller {
  const controller = new Controller();
  controller.setResponse(getList, [
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ]);
  return controller;
}

describe('watch', () => {
  it('watch notifies with the new data after a change, and not at first', () => {
    const controller = filled();
    const seen: (string[] | undefined)[] = [];
    controller.watch(getList, (list) => seen.push(list?.map(({ title }) => title)));
    expect(seen).toEqual([]);
    controller.set(Article, { id: 1 }, { title: 'uno' });
    controller.setResponse(getList, [{ id: 2, title: 'two' }]);
    controller.invalidate(getList);
    expect(seen).toEqual([['uno', 'two'], ['two'], undefined]);
  });

  it('watch does not fetch', async () => {
    let calls = 0;
    const counted = new Endpoint(async () => (calls += 1), { name: 'counted' });
    const controller = new Controller();
    controller.watch(counted, () => undefined);
    await controller.fetch(raw);
    expect(calls).toBe(0);
  });

  it('watch is silent while what it watches stays the same', async () => {
    const controller = filled();
    let told = 0;
    controller.watch(get, { id: 1 }, () => (told += 1));
    controller.watch(Article, { id: 1 }, () => (told += 1));
    controller.set(Article, { id: 2 }, { title: 'changed' });
    controller.set(Article, { id: 1 }, { title: 'one' });
    controller.setResponse(getList, []);
    controller.setResponse(raw, 1);
    await controller.fetch(getList);
    expect(told).toBe(0);
    controller.set(Article, { id: 1 }, { title: 'changed' });
    expect(told).toBe(2);
  });

  it('watch notifies when a missing value arrives and when it is removed', async () => {
    const controller = new Controller();
    const seen: unknown[] = [];
    controller.watch(Article, { id: 5 }, (article) => seen.push(article?.title));
    controller.watch(get, { id: 5 }, (article) => seen.push(article?.title));
    controller.set(Article, { id: 5 }, { title: 'five' });
    expect(seen).toEqual(['five', 'five']);
    await controller.reset();
    expect(seen).toEqual(['five', 'five', undefined, undefined]);
    controller.set(Article, { id: 5 }, { title: 'again' });
    expect(seen.slice(4)).toEqual(['again', 'again']);
  });

  it('watch follows a rename from a temporary pk to the pk of the server', async () => {
    const controller = new Controller();
    let answer = (): void => undefined;
    const create = new Endpoint(
      (title: string): Promise<unknown> =>
        new Promise((resolve) => (answer = () => resolve({ id: 9, title }))),
      {
        name: 'create',
        schema: Article,
        sideEffect: true,
        getOptimisticResponse: (_snapshot: unknown, title: string) => ({ title }),
      },
    );
    const created = controller.fetch(create, 'made');
    const [shown] = controller.get(new All(Article)) ?? [];
    const id = controller.keyOf(shown as Article);
    expect(shown?.id).not.toBe('9');
    const seen: unknown[] = [];
    const stop = controller.watch(Article, { id }, (article) => seen.push([article?.id, article?.title]));
    answer();
    await created;
    expect(seen.at(-1)).toEqual([9, 'made']);
    controller.set(Article, { id: 9 }, { title: 'changed' });
    expect(seen.at(-1)).toEqual([9, 'changed']);
    stop();
    const told = seen.length;
    controller.set(Article, { id: 9 }, { title: 'changed again' });
    expect(seen.length).toBe(told);
  });

  it('watch ends when it is stopped, once or twice', () => {
    const controller = filled();
    let told = 0;
    const stop = controller.watch(getList, () => (told += 1));
    const other = controller.watch(getList, () => (told += 10));
    stop();
    stop();
    controller.set(Article, { id: 1 }, { title: 'uno' });
    expect(told).toBe(10);
    other();
    controller.set(Article, { id: 1 }, { title: 'one' });
    expect(told).toBe(10);
  });

  it('watch does not call a watcher that was unsubscribed during the commit', () => {
    const controller = filled();
    let told = 0;
    const stops: (() => void)[] = [];
    // The one that is notified first stops the other.
    stops.push(
      controller.watch(Article, { id: 1 }, () => {
        told += 1;
        stops[1]?.();
      }),
    );
    stops.push(
      controller.watch(getList, () => {
        told += 1;
        stops[0]?.();
      }),
    );
    controller.set(Article, { id: 1 }, { title: 'uno' });
    expect(told).toBe(1);
  });

  it('watchers may write while they are notified, and each ends with the last state', () => {
    const controller = filled();
    const seen: unknown[] = [];
    controller.watch(Article, { id: 1 }, (article) => {
      if (article?.title === 'first') controller.set(Article, { id: 1 }, { title: 'second' });
    });
    controller.watch(Article, { id: 1 }, (article) => seen.push(article?.title));
    controller.set(Article, { id: 1 }, { title: 'first' });
    expect(seen.at(-1)).toBe('second');
    expect(controller.get(Article, { id: 1 })?.title).toBe('second');
  });

  it('watch notifies the other watchers when one of them throws, and the write succeeds', () => {
    const reported: unknown[] = [];
    const { error } = console;
    console.error = (thrown: unknown) => void reported.push(thrown);
    try {
      const controller = filled();
      let told = 0;
      const failure = new Error('A broken listener');
      controller.watch(getList, () => {
        throw failure;
      });
      controller.watch(getList, () => (told += 1));
      controller.set(Article, { id: 1 }, { title: 'uno' });
      expect(told).toBe(1);
      expect(reported).toEqual([failure]);
    } finally {
      console.error = error;
    }
  });

  it.each([
    ['the entity', Reading],
    ['a query of it', new Query(new All(Reading), ([reading]) => reading)],
    [
      'a live query that fails itself',
      new Select(Reading, { filter: ({ degrees }) => checked(degrees) > 0 }),
    ],
  ])('watch continues when the data that readers could not read is repaired: %s', (_, schema) => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const controller = new Controller();
    const set = (degrees: number) => {
      controller.set(Reading, { id: '1' }, { id: '1', degrees });
    };
    set(1);
    const seen: unknown[] = [];
    controller.watch(schema as typeof Reading, { id: '1' }, (data) => {
      seen.push([data].flat()[0]?.degrees);
    });
    for (const degrees of [-1, 2, -1, -2, 3]) set(degrees);
    expect(seen).toEqual([2, 3]);
  });

  it('watch does nothing for null or for args that name nothing', () => {
    const controller = filled();
    const strict = get.extend({ key: ({ id }: { id: number }) => `strict ${id}` });
    let told = 0;
    const stop = controller.watch(strict, null, () => (told += 1));
    const other = controller.watch(Article, {}, () => (told += 1));
    controller.set(Article, { id: 1 }, { title: 'uno' });
    stop();
    other();
    expect(told).toBe(0);
  });
});
