import { describe, expect, it, jest } from '@jest/globals';
import { Controller, Entity, Select } from 'holdfast';
import { User } from '../support/entities.ts';

/** What has run since the last `reset`. */
class Counter {
  reads = 0;
  comparisons = 0;
  instances = 0;

  reset(): void {
    this.reads = this.comparisons = this.instances = 0;
  }
}

/** A class whose conditions, comparisons and instances are counted. */
function countedIssue(counter: Counter) {
  return class CountedIssue extends Entity {
    id = '';
    project = '';
    size = 0;
    title = '';
    static override key = 'Issue';
    static override schema = {
      size: (value: number) => {
        counter.reads += 1;
        return value;
      },
    };

    constructor() {
      super();
      counter.instances += 1;
    }
  };
}

class CountingCollator extends Intl.Collator {
  constructor(counter: Counter) {
    super('en');
    const { compare } = this;
    Object.defineProperty(this, 'compare', {
      value: (left: string, right: string) => {
        counter.comparisons += 1;
        return compare(left, right);
      },
    });
  }
}

const PROJECTS = 1_000;

function filled(rows: number) {
  const counter = new Counter();
  const Issue = countedIssue(counter);
  const controller = new Controller();
  controller.set(
    [Issue],
    Array.from({ length: rows }, (_, at) => ({
      id: String(at),
      project: `p${String(at % PROJECTS)}`,
      size: at,
      title: `Title ${String(at).padStart(6, '0')}`,
    })),
  );
  return { counter, controller, Issue };
}

describe('the work of a change', () => {
  it.each([
    [1_000, 1],
    [1_000, 1_000],
    [100_000, 1],
    [100_000, 1_000],
  ])(
    'with %i rows, and %i queries that differ in one equality, a change evaluates one condition',
    (rows, queries) => {
      const { counter, controller, Issue } = filled(rows);
      const ofProject = new Select(Issue, {
        where: ({ project }: { project: string }) => ({ project, size: { gte: 0 } }),
        orderBy: { title: { collator: new CountingCollator(counter) } },
        limit: 0,
      });
      for (let at = 0; at < queries; at++)
        controller.watch(ofProject, { project: `p${String(at)}` }, () => undefined);
      const inBucket = rows / PROJECTS;

      counter.reset();
      controller.set(Issue, { id: '0' }, { title: 'Title 500000' });
      expect(counter.reads).toBe(1);
      // It leaves its place in the lists of its bucket and of its matches, and finds the new one.
      expect(counter.comparisons).toBeLessThanOrEqual(6 * Math.log2(inBucket) + 24);
      expect(counter.instances).toBe(0);

      counter.reset();
      controller.set(Issue, { id: String(PROJECTS - 1) }, { title: 'A' });
      expect(counter.reads).toBe(queries === 1 ? 0 : 1);

      counter.reset();
      controller.set(Issue, { id: '0' }, { project: 'p1' });
      expect(counter.reads).toBe(queries === 1 ? 0 : 1);
    },
  );

  it('queries that differ in their window alone test a changed row once', () => {
    const { counter, controller, Issue } = filled(2_000);
    const large = new Select(Issue, {
      where: { size: { gte: 100 } },
      orderBy: { size: 'asc' },
      limit: ({ rows }: { rows: number }) => rows,
    });
    // The row is in none of the windows.
    for (let rows = 0; rows < 100; rows++) controller.watch(large, { rows }, () => undefined);
    counter.reset();
    controller.set(Issue, { id: '1999' }, { title: 'x' });
    // The sort key, and the condition.
    expect(counter.reads).toBe(2);
  });

  it('a window that grows denormalizes the added rows, and tests none again', () => {
    const { counter, controller, Issue } = filled(10_000);
    const large = new Select(Issue, {
      where: { size: { gte: 10 } },
      orderBy: { title: 'asc' },
      limit: ({ rows }: { rows: number }) => rows,
    });
    const stop = controller.watch(large, { rows: 50 }, () => undefined);
    counter.reset();
    controller.watch(large, { rows: 100 }, () => undefined);
    stop();
    expect(controller.get(large, { rows: 100 })).toHaveLength(100);
    expect(counter.instances).toBe(50);
    // Those of the fields of the new instances.
    expect(counter.reads).toBe(50);
  });

  it('the second query with a range of a field tests only the rows in it', () => {
    const { counter, controller, Issue } = filled(10_000);
    const between = new Select(Issue, {
      where: ({ from, to }: { from: number; to: number }) => ({ size: { gte: from, lt: to } }),
      limit: 0,
    });
    const startingWith = new Select(Issue, {
      where: ({ text }: { text: string }) => ({ title: { startsWith: text }, size: { gt: -1 } }),
      limit: 0,
    });
    controller.watch(between, { from: 0, to: 10 }, () => undefined);
    controller.watch(between, { from: 10, to: 20 }, () => undefined);
    counter.reset();
    controller.watch(between, { from: 500, to: 520 }, () => undefined);
    expect(counter.reads).toBeLessThanOrEqual(21);

    controller.watch(startingWith, { text: 'Title 0000' }, () => undefined);
    controller.watch(startingWith, { text: 'Title 0001' }, () => undefined);
    counter.reset();
    controller.watch(startingWith, { text: 'Title 00123' }, () => undefined);
    expect(counter.reads).toBe(10);

    // The list follows changes.
    controller.set(Issue, { id: '7' }, { size: 10_500 });
    const found = new Select(Issue, { where: { size: { gte: 9_999 } } });
    counter.reset();
    expect(controller.get(found)?.map(({ id }) => id)).toEqual(['7', '9999']);
    expect(counter.instances).toBe(2);
    expect(counter.reads).toBeLessThanOrEqual(2 * 2);
  });

  it('a filter runs again for changed members alone', () => {
    const { controller, Issue } = filled(1_000);
    let runs = 0;
    const even = new Select(Issue, {
      filter: ({ size }) => {
        runs += 1;
        return size % 2 === 0;
      },
    });
    controller.watch(even, () => undefined);
    expect(runs).toBe(1_000);
    controller.set(Issue, { id: '3' }, { size: 4 });
    expect(controller.get(even)).toHaveLength(501);
    expect(runs).toBe(1_001);
  });

  it('each keystroke in a condition on a relation costs the same, however many came before', () => {
    class Owned extends Entity {
      id = '';
      owner: User | null = null;
      static override key = 'Owned';
      static override schema = { owner: User };
    }
    const controller = new Controller();
    controller.set(
      [Owned],
      Array.from({ length: 20 }, (_, at) => ({ id: String(at), owner: { id: `u${String(at % 5)}` } })),
    );
    const byOwner = new Select(Owned, {
      where: ({ text }: { text: string }) => ({ owner: { name: { contains: text } } }),
    });
    let stop = controller.watch(byOwner, { text: '' }, () => undefined);
    const type = (text: string): void => {
      const next = controller.watch(byOwner, { text }, () => undefined);
      controller.get(byOwner, { text });
      stop();
      stop = next;
    };
    const add = jest.spyOn(Set.prototype, 'add');
    const additionsOf = (text: string): number => {
      add.mockClear();
      type(text);
      return add.mock.calls.length;
    };
    const first = additionsOf('a');
    for (let at = 0; at < 50; at++) type(`a${String(at)}`);
    const last = additionsOf('b');
    add.mockRestore();
    expect(last).toBe(first);
  });
});
