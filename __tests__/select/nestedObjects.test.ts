import { describe, expect, it } from '@jest/globals';
import { Aggregate, All, Controller, Entity, Select } from 'holdfast';
import { User } from '../support/entities.ts';

class Report extends Entity {
  id = '';
  title = '';
  meta = { author: User.fromJS({}), at: new Date(0) };
  reviews: { by: User; at: Date }[] = [];
  dates: Date[] = [];
  static override key = 'Report';
  static override schema = {
    meta: { author: User, at: Date },
    reviews: [{ by: User, at: Date }],
    dates: [Date],
  };
}

const ids = (reports: readonly Report[] | undefined) => reports?.map(({ id }) => id);

function filled(): Controller {
  const controller = new Controller();
  controller.set([Report], [
    {
      id: '1',
      meta: { author: { id: 'u1', name: 'Ann' }, at: '2026-01-01T00:00:00+05:00' },
      reviews: [{ by: { id: 'u2', name: 'Bea' }, at: '2026-01-02T00:00:00Z' }],
      dates: ['2026-01-01T00:00:00+05:00'],
    },
    {
      id: '2',
      meta: { author: { id: 'u2', name: 'Bea' }, at: '2025-12-31T23:00:00Z' },
      reviews: [],
      dates: [null],
    },
  ] as never);
  return controller;
}

describe('a condition within an object that has a schema', () => {
  it('tests the fields of a related entity, and follows their changes', () => {
    const controller = filled();
    const ofAnn = new Select(Report, { where: { meta: { author: { name: 'Ann' } } } });
    expect(ids(controller.get(ofAnn))).toEqual(['1']);
    controller.set(User, { id: 'u2' }, { name: 'Ann' });
    expect(ids(controller.get(ofAnn))).toEqual(['1', '2']);
  });

  it('compares the converted values of its fields', () => {
    const late = new Select(Report, { where: { meta: { at: { gt: new Date('2025-12-31T20:00:00Z') } } } });
    expect(ids(filled().get(late))).toEqual(['2']);
  });

  it('tests the objects of a list', () => {
    const controller = filled();
    const after = (date: string) => ({ at: { gt: new Date(date) } });
    const reviewedByBea = new Select(Report, { where: { reviews: { some: { by: { name: 'Bea' } } } } });
    const reviewedLate = new Select(Report, { where: { reviews: { some: after('2026-01-01') } } });
    const reviewedEarly = new Select(Report, { where: { reviews: { none: after('2026-01-01') } } });
    expect(ids(controller.get(reviewedByBea))).toEqual(['1']);
    expect(ids(controller.get(reviewedLate))).toEqual(['1']);
    expect(ids(controller.get(reviewedEarly))).toEqual(['2']);
    controller.set(User, { id: 'u2' }, { name: 'Cem' });
    expect(ids(controller.get(reviewedByBea))).toEqual([]);
  });

  it('finds the converted values of a list', () => {
    const dated = new Select(Report, { where: { dates: { has: new Date('2025-12-31T19:00:00Z') } } });
    expect(ids(filled().get(dated))).toEqual(['1']);
  });

  it('sorts by converted values and by related entities', () => {
    const controller = filled();
    const byDate = new Select(Report, { orderBy: { meta: { at: 'desc' } } });
    const byAuthor = new Select(Report, { orderBy: { meta: { author: { name: 'desc' } } } });
    expect(ids(controller.get(byDate))).toEqual(['2', '1']);
    expect(ids(controller.get(byAuthor))).toEqual(['2', '1']);
    controller.set(User, { id: 'u1' }, { name: 'Cem' });
    expect(ids(controller.get(byAuthor))).toEqual(['1', '2']);
  });
});

describe('a condition on objects without a schema', () => {
  it('tests the members of a list', () => {
    class Order extends Entity {
      id = '';
      items: { sku: string; amount: number }[] = [];
      static override key = 'Order';
    }
    const controller = new Controller();
    controller.set(
      [Order],
      [
        { id: '1', items: [{ sku: 'a', amount: 1 }] },
        {
          id: '2',
          items: [
            { sku: 'a', amount: 2 },
            { sku: 'b', amount: 3 },
          ],
        },
        { id: '3' },
      ],
    );
    const get = (quantifier: 'some' | 'every' | 'none', condition: object) =>
      controller
        .get(new Select(Order, { where: { items: { [quantifier]: condition } } }))
        ?.map(({ id }) => id);
    expect(get('some', { sku: 'b', amount: { gt: 2 } })).toEqual(['2']);
    expect(get('every', { sku: 'a' })).toEqual(['1', '3']);
    expect(get('none', { amount: 1 })).toEqual(['2', '3']);
  });
});

describe('exists beside other conditions on a related entity', () => {
  it.each([
    [true, ['1']],
    [false, []],
  ])('requires both with exists: %s', (exists, expected) => {
    class Owned extends Entity {
      id = '';
      owner: User | null = null;
      static override key = 'Owned';
      static override schema = { owner: User };
    }
    const controller = new Controller();
    controller.set(
      [Owned],
      [
        { id: '1', owner: { id: 'u1', name: 'Ann' } },
        { id: '2', owner: { id: 'u2', name: 'Bea' } },
        { id: '3' },
      ],
    );
    const ofAnn = new Select(Owned, { where: { owner: { exists, name: 'Ann' } } });
    expect(controller.get(ofAnn)?.map(({ id }) => id)).toEqual(expected);
  });
});

describe('a row with an object that lacks a related entity', () => {
  it('is no member of any live query until that entity arrives', () => {
    const controller = new Controller();
    controller.set([Report], [{ id: '1', meta: { author: 'u1' } }, { id: '2' }, { id: '3' }] as never);
    const firstTwo = new Select(Report, { limit: 2 });
    const count = new Aggregate(Report, { values: { n: 'count' } });
    controller.watch(firstTwo, () => undefined);
    controller.watch(count, () => undefined);
    expect(ids(controller.get(new All(Report)))).toEqual(['2', '3']);
    expect(ids(controller.get(firstTwo))).toEqual(['2', '3']);
    expect(controller.get(count)).toEqual({ n: 2 });
    controller.set(User, { id: 'u1' }, { id: 'u1', name: 'Ann' });
    expect(ids(controller.get(firstTwo))).toEqual(['1', '2']);
    expect(controller.get(count)).toEqual({ n: 3 });
  });
});
