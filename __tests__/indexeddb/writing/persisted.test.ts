import { describe, expect, it } from '@jest/globals';
import { Endpoint, Entity } from 'holdfast';
import { answering, Article, freshIndexedDB, openApp, records, requests } from '../../support/indexedDB.ts';
import type { BatchRecord } from '../../../plugins/indexeddb/records/batchRecord.ts';
import { User } from '../../support/entities.ts';
import { turns } from '../../support/turns.ts';

freshIndexedDB();

const MINUTE = 60_000;
const article = { id: 'a1', title: 'one', body: 'long', author: { id: 'u1', name: 'Ann' } };
const kept = answering('kept', Article, article);
const passing = answering(
  'passing',
  Article,
  { ...article, id: 'a2', author: { id: 'u2', name: 'Bea' } },
  MINUTE,
);

const list = answering('list', [Article], [article]);
const detail = new Endpoint(
  async ({ id }: { id: string }) => {
    requests.push('detail');
    return { ...article, id };
  },
  { name: 'detail', schema: Article, dataExpiryLength: Infinity },
);

async function written(): Promise<string[]> {
  const batches = (await records('log')) as BatchRecord[];
  return batches.flatMap(({ rows, results }) => [
    ...rows.pk.map((pk, place) => `${rows.names[rows.table[place]!]} ${pk}`),
    ...results.map(({ key }) => key),
  ]);
}

describe('what is persisted', () => {
  it('results that never expire are persisted with what they reach', async () => {
    const { controller } = await openApp();
    await controller.fetch(kept);
    await controller.fetch(passing);
    await controller.flush();
    expect((await written()).sort()).toEqual(['Article a1', 'User u1', kept.key()].sort());
  });

  it('everything is persisted with persist: all', async () => {
    const { controller } = await openApp({ persist: 'all' });
    await controller.fetch(passing);
    await controller.flush();
    expect((await written()).sort()).toEqual(['Article a2', 'User u2', passing.key()].sort());
  });

  it('a function may choose the results and rows that are persisted', async () => {
    const { controller } = await openApp({
      persist: (item) => (item.kind === 'result' ? item.key === passing.key() : item.pk === 'u9'),
    });
    await controller.fetch(passing);
    await controller.fetch(kept);
    controller.set(User, { id: 'u9' }, { id: 'u9', name: 'Zoe' });
    await controller.flush();
    expect((await written()).sort()).toEqual(['Article a2', 'User u2', 'User u9', passing.key()].sort());
  });

  describe.each(['invalidated', 'expired'] as const)('what is %s', (change) => {
    it.each(['before', 'after'] as const)(
      `a result that never expires stays ${change} after a reload, if it was written %s`,
      async (when) => {
        const { controller, leave } = await openApp();
        await controller.fetch(detail, { id: 'a1' });
        if (when === 'before') await controller.flush();
        if (change === 'invalidated') controller.invalidate(detail, { id: 'a1' });
        else controller.expireAll(detail);
        await leave();

        const next = await openApp();
        await next.controller.fetchIfStale(detail, { id: 'a1' });
        await turns();
        expect(requests).toEqual(['detail', 'detail']);
      },
    );

    it(`the values of results that expire are not persisted when they are ${change}`, async () => {
      const { controller } = await openApp();
      await controller.fetch(passing);
      if (change === 'invalidated') controller.invalidate(passing);
      else controller.expireAll(passing);
      await controller.flush();
      expect(await written()).toEqual([]);
    });
  });

  it('a read that is served from the rows of a list stays invalidated after a reload', async () => {
    const { controller, leave } = await openApp();
    await controller.fetch(list);
    expect(controller.getResponse(detail, { id: 'a1' }).data?.title).toBe('one');
    controller.invalidateAll(detail);
    await leave();

    const next = await openApp();
    await next.controller.fetchIfStale(detail, { id: 'a1' });
    await turns();
    expect(requests).toEqual(['list', 'detail']);
  });

  it('a read that was not made in this session stays invalidated after a reload', async () => {
    const { controller, leave } = await openApp();
    await controller.fetch(list);
    controller.invalidate(detail, { id: 'a1' });
    await leave();

    const next = await openApp();
    await next.controller.fetchIfStale(detail, { id: 'a1' });
    expect(requests).toEqual(['list', 'detail']);
  });

  it('an error of the persist function is reported, and the change stays pending', async () => {
    let isBroken = true;
    const { controller, errors } = await openApp({
      persist: () => {
        if (isBroken) throw new Error('broken policy');
        return true;
      },
    });
    await controller.fetch(kept);
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_PLUGIN' });
    expect(errors[0]?.message).toContain('broken policy');
    isBroken = false;
    await controller.flush();
    expect(await written()).toHaveLength(3);
  });

  it('a persist function that throws for one row costs no other row and no result', async () => {
    let isBroken = true;
    const app = await openApp({
      persist: (item) => {
        // As for a deleted row, which has no value.
        if (isBroken && item.kind === 'row' && item.pk === 'u9') throw new TypeError('value is undefined');
        return true;
      },
    });
    const { controller, errors } = app;
    controller.set(User, { id: 'u9' }, { id: 'u9', name: 'Zoe' });
    await controller.fetch(kept);
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_PLUGIN' });
    expect(errors.map(({ code }) => code)).toEqual(['HF_PLUGIN']);
    expect((await written()).sort()).toEqual(['Article a1', 'User u1', kept.key()].sort());
    isBroken = false;
    await controller.flush();
    expect((await written()).sort()).toEqual(['Article a1', 'User u1', 'User u9', kept.key()].sort());
  });

  it('references are followed through rows that other responses stored before', async () => {
    const { controller } = await openApp();
    await controller.fetch(passing); // brings u2, which nothing persisted reaches
    await controller.flush();
    expect(await written()).toEqual([]);
    controller.setResponse(kept, { ...article, author: 'u2' });
    await controller.flush();
    expect((await written()).sort()).toEqual(['Article a1', 'User u2', kept.key()].sort());
  });

  it('a row is persisted if it arrives after the result that names it', async () => {
    const { controller } = await openApp();
    controller.setResponse(kept, { ...article, author: 'u2' });
    await controller.flush();
    await controller.fetch(passing);
    await controller.flush();
    expect((await written()).filter((name) => name.startsWith('User'))).toEqual(['User u2']);
  });

  it.each(['lazy', 'progressive'] as const)(
    'a row is persisted if it arrives in the visit after that of the result that names it (%s)',
    async (restore) => {
      const namedById = answering('namedById', [User], ['u2']);
      const first = await openApp();
      await first.controller.fetch(namedById);
      await first.leave();
      const { controller } = await openApp({ restore });
      await controller.fetchIfStale(namedById);
      await controller.fetch(passing);
      await controller.flush();
      expect((await written()).filter((name) => name.startsWith('User'))).toEqual(['User u2']);
    },
  );

  it('every later change of a persisted row is persisted, whatever its source', async () => {
    const { controller } = await openApp();
    await controller.fetch(kept);
    await controller.flush();
    controller.setResponse(answering('other', User, {}, MINUTE), { id: 'u1', name: 'Ann B.' });
    await controller.flush();
    expect((await written()).slice(3)).toEqual(['User u1']);
  });

  it('a chain of ten thousand references is followed', async () => {
    class Link extends Entity {
      id = '';
      static override key = 'Link';
      static override schema: Record<string, typeof Link> = {};
    }
    Link.schema = { next: Link };
    const { controller } = await openApp();
    const link = answering('link', Link, {}, MINUTE);
    controller.batch(() => {
      for (let index = 0; index < 10_000; index++)
        controller.setResponse(link, { id: `l${index}`, next: `l${index + 1}` });
    });
    controller.setResponse(answering('first', Link, {}), { id: 'l0' });
    await controller.flush();
    expect(await written()).toHaveLength(10_001);
  });
});

describe('a summary and a detail of one table', () => {
  class Summary extends Entity {
    id = '';
    title = '';
    static override key = 'Paper';
  }
  class Paper extends Summary {
    author = User.fromJS();
    static override schema = { author: User };
  }
  const papers = answering('papers', [Summary], [{ id: 'p1', title: 'short' }]);
  const paper = answering('paper', Paper, { id: 'p1', title: 'long', author: { id: 'u7', name: 'Eve' } });

  it.each([
    ['the summary first', papers, paper],
    ['the detail first', paper, papers],
  ])('a summary keeps what the detail names: %s', async (_, first, second) => {
    const before = await openApp();
    await before.controller.fetch(first as typeof paper);
    await before.controller.fetch(second as typeof paper);
    await before.leave();

    const after = await openApp({ restore: 'lazy' });
    expect((await after.controller.fetchIfStale(paper)).author.name).toBe('Eve');
    expect(requests).toHaveLength(2);
  });

  it('a relation of the detail survives a session in which only the summary was stored', async () => {
    const first = await openApp();
    await first.controller.fetch(paper);
    await first.leave();
    const second = await openApp();
    await second.controller.restored;
    second.controller.setResponse(papers, [{ id: 'p1', title: 'renamed' }]);
    await second.leave();

    const third = await openApp({ restore: 'lazy' });
    const again = await third.controller.fetchIfStale(paper);
    expect(again).toMatchObject({ title: 'renamed', author: { name: 'Eve' } });
  });
});

describe('a row that is on disk but not in memory', () => {
  const summary = answering('summary', [Article], [{ id: 'a1', title: 'new title' }], MINUTE);

  it('a row only on disk keeps the fields that a change does not contain', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();

    const second = await openApp({ restore: 'lazy' });
    await second.controller.fetch(summary);
    await second.controller.flush();
    await second.leave();

    const third = await openApp({ restore: 'lazy' });
    const again = await third.controller.fetchIfStale(kept);
    expect(again).toMatchObject({ title: 'new title', body: 'long' });
    expect(again.author.name).toBe('Ann');
    expect(requests).toEqual(['kept', 'summary']);
  });

  it('memory receives the fields on disk when both are reconciled', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();

    const second = await openApp({ restore: 'lazy' });
    await second.controller.fetch(summary);
    await second.controller.flush();
    expect(second.controller.get(Article, { id: 'a1' })).toMatchObject({ title: 'new title', body: 'long' });
  });

  it('a reconciled row restores what it names, so that it stays visible in its lists', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();

    const second = await openApp({ restore: 'lazy' });
    await second.controller.fetch(summary);
    const shown: (readonly unknown[] | undefined)[] = [];
    second.controller.watch(summary, (data) => shown.push(data as readonly unknown[] | undefined));
    await second.controller.flush();
    expect(shown).toHaveLength(1);
    expect(shown[0]).toEqual([expect.objectContaining({ title: 'new title', body: 'long' })]);
  });

  it('a row stays unchanged if the app stops before reconciling, and new data is stored', async () => {
    const first = await openApp();
    await first.controller.fetch(kept);
    await first.leave();

    const second = await openApp({ restore: 'lazy' });
    await second.controller.fetch(summary);
    await second.controller.fetch(answering('list', [Article], [{ id: 'a1', title: 'newer' }, { id: 'a9' }]));
    await second.leave();

    const third = await openApp({ restore: 'lazy' });
    expect(await third.controller.fetchIfStale(kept)).toMatchObject({ body: 'long' });
    await third.plugin.restore({ rows: [['Article', 'a9']] });
    expect(await third.plugin.restore({ rows: [['Article', 'a9']] })).toMatchObject({
      rows: [['Article', 'a9', {}]],
    });
  });

  it('a row is merged once, by the merge of its class', async () => {
    class Bag extends Entity {
      id = '';
      items: number[] = [];
      static override key = 'Bag';
      static override merge(existing: { items?: number[] }, incoming: { items?: number[] }) {
        return { ...existing, ...incoming, items: [...(existing.items ?? []), ...(incoming.items ?? [])] };
      }
    }
    const bag = answering('bag', Bag, { id: 'b', items: [1] });
    const more = answering('more', Bag, { id: 'b', items: [2] }, MINUTE);
    const first = await openApp();
    await first.controller.fetch(bag);
    await first.leave();

    const second = await openApp({ restore: 'lazy' });
    await second.controller.fetch(more);
    await second.controller.flush();
    await second.controller.fetchIfStale(bag);
    await second.controller.fetch(more);
    await second.controller.flush();
    await second.leave();

    const third = await openApp();
    await third.controller.restored;
    await third.controller.fetchIfStale(bag);
    expect(third.controller.get(Bag, { id: 'b' })?.items).toEqual([1, 2, 2]);
  });

  it('a change does not read the disk if its table is not there', async () => {
    const { controller, plugin } = await openApp({ restore: 'lazy' });
    await controller.fetch(summary);
    await controller.flush();
    expect(await plugin.restore({ results: ['nowhere'], rows: [['Article', 'a5']] })).toBeUndefined();
  });
});

describe('an entity without an explicit key', () => {
  class Unnamed extends Entity {
    id = '';
  }
  const unnamed = answering('unnamed', Unnamed, { id: '1' });

  it('an entity without an explicit key is refused when stored, and the rest is written', async () => {
    const { controller, errors } = await openApp();
    await controller.fetch(unnamed);
    await Promise.resolve();
    expect(errors.map(({ code }) => code)).toEqual(['HF_KEY_DEFAULTED']);
    await controller.fetch(kept);
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_KEY_DEFAULTED' });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain('Unnamed');
    expect(await written()).toContain('Article a1');
    expect(await written()).not.toContain('Unnamed 1');
  });

  it('an entity without an explicit key is refused if a stored result reaches it', async () => {
    class Holder extends Entity {
      id = '';
      held = Unnamed.fromJS();
      static override key = 'Holder';
      static override schema = { held: Unnamed };
    }
    const { controller, errors } = await openApp({ persist: (item) => item.kind === 'result' });
    await controller.fetch(answering('holder', Holder, { id: 'h', held: { id: '1' } }));
    await expect(controller.flush()).rejects.toMatchObject({ code: 'HF_KEY_DEFAULTED' });
    expect(errors).toHaveLength(1);
  });

  it('an entity without an explicit key is allowed if it is not persisted', async () => {
    const { controller, errors } = await openApp();
    await controller.fetch(new Endpoint(async () => ({ id: '1' }), { name: 'passing', schema: Unnamed }));
    await controller.flush();
    expect(errors).toEqual([]);
  });
});
