import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Aggregate, All, Controller, Endpoint, Entity, Select } from 'holdfast';
import { User } from '../support/entities.ts';

/** Rejects what is no date, as `Temporal.PlainDate.from` does. */
function dateOf(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new RangeError(`${text} is no date`);
  return date;
}

class Visit extends Entity {
  id = '';
  at = new Date(0);
  guest: User | null = null;
  static override key = 'Visit';
  static override schema = { at: dateOf, guest: User };
}

class CheckedVisit extends Visit {
  static override validate({ id, at }: Readonly<Record<string, unknown>>) {
    if (at === 'unknown') throw new Error(`${String(id)} cannot be checked`);
    return undefined;
  }
}

const getDay = new Endpoint(
  (visits: object[]) => Promise.resolve({ visits, host: { id: 'u1', name: 'Bea' } }),
  {
    name: 'getDay',
    schema: { visits: [Visit], host: User },
  },
);

const hosted = (): Controller => {
  const controller = new Controller();
  controller.set(User, { id: 'u1' }, { id: 'u1', name: 'Ann' });
  controller.set([Visit], [{ id: '1', at: '2026-01-01' }]);
  return controller;
};

const ids = (visits: readonly Visit[] | undefined) => visits?.map(({ id }) => id);

// A reader that fails is reported here.
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('a row whose converter throws', () => {
  it.each([
    ['tests the field', new Select(Visit, { where: { at: { gt: new Date(0) } } })],
    ['hashes the field', new Select(Visit, { where: { at: new Date('2026-01-01') } })],
    ['sorts by the field', new Select(Visit, { orderBy: { at: 'asc' } })],
    ['aggregates the field', new Aggregate(Visit, { values: { last: { max: 'at' } } })],
  ])('readers of other rows see the rest of its response when a live query %s', async (_, query) => {
    const controller = hosted();
    const names: (string | undefined)[] = [];
    controller.watch(query as Select<typeof Visit>, () => undefined);
    controller.get(query as Select<typeof Visit>);
    controller.watch(User, { id: 'u1' }, (user) => names.push(user?.name));
    await controller.fetch(getDay, [{ id: '2', at: 'unknown' }]).catch(() => undefined);
    expect(names).toEqual(['Bea']);
    expect(controller.get(User, { id: 'u1' })?.name).toBe('Bea');
  });

  it('is left out by conditions on that field until it is repaired', () => {
    const controller = hosted();
    const recent = new Select(Visit, { where: { at: { gt: new Date(0) } } });
    const seen: (string[] | undefined)[] = [];
    controller.watch(recent, (visits) => seen.push(ids(visits)));
    controller.set(
      [Visit],
      [
        { id: '2', at: 'unknown' },
        { id: '3', at: '2026-01-03' },
      ],
    );
    expect(ids(controller.get(recent))).toEqual(['1', '3']);
    controller.set(Visit, { id: '2' }, { at: '2026-01-02' });
    expect(ids(controller.get(recent))).toEqual(['1', '2', '3']);
    expect(seen).toEqual([
      ['1', '3'],
      ['1', '2', '3'],
    ]);
  });

  it('makes a query that shows it fail, as other reads of it do, until it is repaired', () => {
    const controller = hosted();
    const byDate = new Select(Visit, { orderBy: { at: 'desc' } });
    controller.watch(byDate, () => undefined);
    expect(ids(controller.get(byDate))).toEqual(['1']);
    controller.set(Visit, { id: '2' }, { id: '2', at: 'unknown' });
    expect(() => controller.get(new All(Visit))).toThrow('HF_CONVERTER');
    expect(() => controller.get(byDate)).toThrow('HF_CONVERTER');
    controller.set(Visit, { id: '2' }, { at: '2026-01-02' });
    expect(ids(controller.get(byDate))).toEqual(['2', '1']);
  });

  it('a live query leaves out a row whose validate throws', () => {
    const controller = new Controller();
    const all = new Select(CheckedVisit);
    controller.set(Visit, { id: '1' }, { id: '1', at: '2026-01-01' });
    controller.watch(all, () => undefined);
    expect(ids(controller.get(all))).toEqual(['1']);
    controller.set(Visit, { id: '2' }, { id: '2', at: 'unknown' });
    expect(ids(controller.get(all))).toEqual(['1']);
    controller.set(Visit, { id: '2' }, { at: '2026-01-02' });
    expect(ids(controller.get(all))).toEqual(['1', '2']);
  });
});
