import { describe, expect, it } from '@jest/globals';
import { Aggregate, Controller, Entity, Select, type Commit, type Plugin } from 'holdfast';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { until } from '../support/turns.ts';

class Owner extends Entity {
  id = '';
  name = '';
  static override key = 'Owner';
}

class IssueWithState extends Entity {
  id = '';
  state = 'open';
  owner = Owner.fromJS();
  static override key = 'Issue';
  static override schema = { owner: Owner };
}

const open = new Select(IssueWithState, { where: { state: 'open' }, limit: 2 });
const blocked = new Select(IssueWithState, { where: { state: 'blocked' } });
const counts = new Aggregate(IssueWithState, { groupBy: 'state', values: { n: 'count' } });

const optionsOf = (restore: 'lazy' | 'progressive', storage: ReturnType<typeof memoryStorage>) =>
  ({ name: 'app', persist: 'all', restore, storage }) as const;

/** Issues on disk; every third is open, and each has an owner. */
async function stored(count: number): Promise<ReturnType<typeof memoryStorage>> {
  const storage = memoryStorage();
  const controller = new Controller({ plugins: [indexedDB(optionsOf('lazy', storage))] });
  controller.set(
    [IssueWithState],
    Array.from({ length: count }, (_, id) => ({
      id: String(id),
      state: id % 3 === 0 ? 'open' : 'closed',
      owner: { id: String(id % 40), name: 'Ada' },
    })),
  );
  await controller.flush();
  await controller.stop();
  return storage;
}

const restores = ['lazy', 'progressive'] as const;

describe('A live query of rows that are on disk alone', () => {
  it.each(restores)('a watched query restores its whole table, with a %s restore', async (restore) => {
    const storage = await stored(9);
    const controller = new Controller({ plugins: [indexedDB(optionsOf(restore, storage))] });
    const shown = new Promise<readonly IssueWithState[] | undefined>((resolve) => {
      controller.watch(open, (issues) => {
        if (issues?.length === 2) resolve(issues);
      });
    });
    expect((await shown)?.map(({ id }) => id)).toEqual(['0', '3']);
    expect(controller.get(counts)).toEqual({ open: { n: 3 }, closed: { n: 6 } });
    await controller.stop();
  });

  it.each(restores)(
    'a query never counts a part of its table, nor returns an empty list, with a %s restore',
    async (restore) => {
      const controller = new Controller({ plugins: [indexedDB(optionsOf(restore, await stored(3_000)))] });
      controller.set(
        IssueWithState,
        { id: 'new' },
        { id: 'new', state: 'new', owner: { id: '1', name: 'Ada' } },
      );
      const seen: unknown[] = [];
      await Promise.all([
        new Promise<void>((resolve) => {
          controller.watch(blocked, (issues) => {
            seen.push(issues);
            resolve();
          });
        }),
        new Promise<void>((resolve) => {
          controller.watch(counts, (groups) => {
            seen.push(groups);
            resolve();
          });
        }),
      ]);
      expect(seen).toEqual([[], { open: { n: 1_000 }, closed: { n: 2_000 }, new: { n: 1 } }]);
      await controller.stop();
    },
  );

  it.each(restores)(
    'the table of a query is restored in short steps, each row once, with a %s restore',
    async (restore) => {
      const steps: number[] = [];
      const progress: boolean[] = [];
      const storage = indexedDB(optionsOf(restore, await stored(3_000)));
      const recorder: Plugin = {
        name: 'recorder',
        commit({ action, baseChanges }: Commit) {
          const rows = baseChanges.rows.get('Issue')?.size ?? 0;
          if (action.type !== 'restore' || rows === 0) return;
          steps.push(rows);
          progress.push(storage.status.get().isRestored);
        },
      };
      const controller = new Controller({ plugins: [storage, recorder] });
      const missing: number[] = [];
      await new Promise<void>((resolve) => {
        controller.watch(open, (issues) => {
          // The rows that it requires are restored with it.
          missing.push(2 - (issues?.length ?? 0));
        });
        controller.watch(counts, () => resolve());
      });
      expect(Math.max(...steps)).toBeLessThanOrEqual(512);
      expect(steps.reduce((sum, rows) => sum + rows)).toBe(3_000);
      expect(Math.max(...missing)).toBe(0);
      expect(progress).not.toContain(true);
      // It says so once the queries have been notified.
      await until(() => storage.status.get().isRestored);
      await controller.stop();
    },
  );

  it.each(restores)('a query first shows the rows of the last screen, with a %s restore', async (restore) => {
    const storage = await stored(3_000);
    const before = new Controller({ plugins: [indexedDB(optionsOf(restore, storage))] });
    await new Promise<void>((resolve) => {
      before.watch(open, () => undefined);
      before.watch(counts, () => resolve());
    });
    await before.stop();

    const controller = new Controller({ plugins: [indexedDB(optionsOf(restore, storage))] });
    const shown = await new Promise((resolve) => {
      controller.watch(open, (issues) =>
        resolve([issues?.map(({ id }) => id), controller.getState().tables['Issue']?.size]),
      );
    });
    expect(shown).toEqual([['0', '3'], 2]);
    await controller.stop();
  });

  it('the last screen contains the rows of short and long lists, up to a limit', () => {
    const controller = new Controller();
    const pks = Array.from({ length: 300 }, (_, id) => String(id));
    controller.set([Owner], pks.map((id) => ({ id, name: 'Ada' }))); // oxfmt-ignore
    controller.watch(new Select(Owner), () => undefined);
    controller.watch(new Select(Owner, { limit: 1 }), () => undefined);
    controller.watch(Owner, { id: '7' }, () => undefined);
    const names = controller.queriedRows(500).map(([table, pk]) => `${table} ${pk}`);
    expect(names.sort()).toEqual([...pks, '0'].map((pk) => `Owner ${pk}`).sort());
    expect(controller.queriedRows(50)).toHaveLength(50);
  });

  it('the last screen of a page that crashed is known', async () => {
    const storage = await stored(9);
    const plugin = indexedDB(optionsOf('lazy', storage));
    const controller = new Controller({ plugins: [plugin] });
    controller.watch(open, () => undefined);
    await new Promise<void>((resolve) => {
      const look = async (): Promise<void> => {
        if ((await plugin.side('indexeddb')).length === 1) resolve();
        else setTimeout(() => void look(), 1);
      };
      void look();
    });
    const next = indexedDB(optionsOf('lazy', storage));
    expect(await next.side('indexeddb')).toEqual(await plugin.side('indexeddb'));
    await controller.stop();
  });

  it('a reset that keeps unsent mutations deletes the last screen', async () => {
    const storage = await stored(9);
    const before = new Controller({ plugins: [indexedDB(optionsOf('lazy', storage))] });
    await new Promise<void>((resolve) => {
      before.watch(open, () => undefined);
      before.watch(counts, () => resolve());
    });
    await before.stop();

    const plugin = indexedDB(optionsOf('lazy', storage));
    const controller = new Controller({ plugins: [plugin] });
    const rows = { pk: ['0', '0', '3', '3'], names: ['Issue', 'Owner'] };
    expect(await plugin.side('indexeddb')).toMatchObject([['screen', { rows }]]);
    await controller.reset({ unsent: 'keep' });
    expect(await plugin.side('indexeddb')).toEqual([]);
    await controller.stop();
  });
});
