import { describe, expect, it } from '@jest/globals';
import { Aggregate, All, Collection, Controller, Delete, Endpoint, Entity, Select } from 'holdfast';
import { User } from '../support/entities.ts';

class AssignedIssue extends Entity {
  id = '';
  title = '';
  state = 'open';
  projectId = '';
  priority = 0;
  updatedAt = new Date(0);
  assignee: User | null = null;
  labels: string[] = [];
  static override key = 'Issue';
  static override schema = { assignee: User, updatedAt: Date };
}

const openIssues = new Select(AssignedIssue, {
  where: ({ project, text }: { project: string; text?: string }) => ({
    projectId: project,
    state: { in: ['open', 'active'] },
    title: { contains: text, ignoreCase: true },
  }),
  orderBy: [{ priority: 'desc' }, { updatedAt: 'desc' }],
  limit: 2,
});

function ids(issues: readonly AssignedIssue[] | undefined): string[] | undefined {
  return issues?.map(({ id }) => id);
}

function filled(): Controller {
  const controller = new Controller();
  controller.set(
    [AssignedIssue],
    [
      { id: '1', projectId: 'a', priority: 1, title: 'First', updatedAt: '2026-01-01T00:00:00Z' },
      { id: '2', projectId: 'a', priority: 2, title: 'Second', assignee: { id: 'u1', name: 'Ann' } },
      { id: '3', projectId: 'a', priority: 3, title: 'Third', state: 'closed' },
      { id: '4', projectId: 'b', priority: 4, title: 'Fourth', labels: ['bug'] },
      { id: '5', projectId: 'a', priority: 1, title: 'Fifth', updatedAt: '2026-02-01T00:00:00Z' },
    ],
  );
  return controller;
}

describe('Select', () => {
  it('Select returns the matching rows in order, up to its limit', () => {
    const controller = filled();
    expect(ids(controller.get(openIssues, { project: 'a' }))).toEqual(['2', '5']);
    expect(ids(controller.get(openIssues, { project: 'b' }))).toEqual(['4']);
    expect(ids(controller.get(openIssues, { project: 'a', text: 'FIR' }))).toEqual(['1']);
    expect(controller.get(openIssues, { project: 'c' })).toEqual([]);
  });

  it('a row moves into the window when it changes', () => {
    const controller = filled();
    const seen: (string[] | undefined)[] = [];
    controller.watch(openIssues, { project: 'a' }, (issues) => seen.push(ids(issues)));
    const before = controller.get(openIssues, { project: 'a' });
    controller.set(AssignedIssue, { id: '3' }, { state: 'open' });
    controller.set(AssignedIssue, { id: '4' }, { title: 'Else' });
    controller.set(AssignedIssue, { id: '1' }, { title: 'Not shown' });
    expect(seen).toEqual([['3', '2']]);
    controller.set(AssignedIssue, { id: '3' }, { state: 'closed' });
    expect(ids(controller.get(openIssues, { project: 'a' }))).toEqual(['2', '5']);
    expect(controller.get(openIssues, { project: 'a' })?.[0]).toBe(before?.[0]);
  });

  it('Select returns the identical list while nothing in it changes', () => {
    const controller = filled();
    const before = controller.get(openIssues, { project: 'a' });
    controller.set(AssignedIssue, { id: '4' }, { title: 'Else' });
    expect(controller.get(openIssues, { project: 'a' })).toBe(before);
  });

  it('Select is empty until the first row is stored, and then has the rows', () => {
    const controller = new Controller();
    const seen: (string[] | undefined)[] = [];
    controller.watch(openIssues, { project: 'a' }, (issues) => seen.push(ids(issues)));
    expect(controller.get(openIssues, { project: 'a' })).toBeUndefined();
    controller.set(AssignedIssue, { id: '9' }, { projectId: 'b' });
    controller.set(AssignedIssue, { id: '8' }, { projectId: 'a' });
    expect(seen).toEqual([[], ['8']]);
  });

  it('a query has no value again when the first row of all, which was shown optimistically, is refused', async () => {
    const controller = new Controller();
    let refuse = (): void => undefined;
    const create = new Endpoint(
      (issue: object) =>
        new Promise<object>((_resolve, reject) => {
          refuse = () => reject(new Error(`refused: ${JSON.stringify(issue)}`));
        }),
      {
        name: 'create',
        sideEffect: true,
        schema: AssignedIssue,
        getOptimisticResponse: (_snapshot: unknown, issue: object) => issue,
      },
    );
    const created = controller.fetch(create, { id: '1', projectId: 'a' });
    const count = new Aggregate(AssignedIssue, { where: { projectId: 'b' }, values: { n: 'count' } });
    expect(ids(controller.get(openIssues, { project: 'a' }))).toEqual(['1']);
    // This row is no member of these.
    expect(controller.get(openIssues, { project: 'b' })).toEqual([]);
    expect(controller.get(count)).toEqual({ n: 0 });
    refuse();
    await expect(created).rejects.toThrow('refused');
    expect(controller.get(new All(AssignedIssue))).toBeUndefined();
    expect(controller.get(openIssues, { project: 'a' })).toBeUndefined();
    expect(controller.get(openIssues, { project: 'b' })).toBeUndefined();
    expect(controller.get(count)).toBeUndefined();
  });

  it('a query has no value again when the first row of all is refused before another optimistic row', async () => {
    const controller = new Controller();
    const refuse: (() => void)[] = [];
    const showing = (schema: typeof AssignedIssue | typeof User) =>
      new Endpoint(
        (row: object) =>
          new Promise<object>((_resolve, reject) => {
            refuse.push(() => reject(new Error(`refused: ${JSON.stringify(row)}`)));
          }),
        {
          name: 'show',
          sideEffect: true,
          schema,
          getOptimisticResponse: (_snapshot: unknown, row: object) => row,
        },
      );
    const all = new All(AssignedIssue);
    const none = new Select(AssignedIssue, { where: { state: 'closed' } });
    controller.watch(none, () => undefined);
    const issue = controller.fetch(showing(AssignedIssue), { id: '1' });
    const user = controller.fetch(showing(User), { id: 'u1' });
    expect([controller.get(all)?.length, controller.get(none)]).toEqual([1, []]);
    refuse[0]?.();
    await expect(issue).rejects.toThrow('refused');
    expect([controller.get(all), controller.get(none)]).toEqual([undefined, undefined]);
    refuse[1]?.();
    await expect(user).rejects.toThrow('refused');
    expect([controller.get(all), controller.get(none)]).toEqual([undefined, undefined]);
  });

  it('All and Select have no value after a reset, even if the only row was a deleted one', async () => {
    const controller = new Controller();
    const all = new All(AssignedIssue);
    const remove = new Endpoint((id: string) => Promise.resolve(id), {
      name: 'remove',
      schema: new Delete(AssignedIssue),
    });
    controller.watch(all, () => undefined);
    controller.watch(openIssues, { project: 'a' }, () => undefined);
    controller.setResponse(remove, '1', '1');
    expect([controller.get(all), controller.get(openIssues, { project: 'a' })]).toEqual([[], []]);
    await controller.reset();
    expect([controller.get(all), controller.get(openIssues, { project: 'a' })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['an empty list', []],
    ['undefined', undefined],
  ])('an order that is %s keeps the order of the source', (_, order) => {
    const controller = filled();
    const list = new Collection([AssignedIssue], { argsKey: () => ({}) });
    controller.set(list, {}, [{ id: '3' }, { id: '1' }] as never);
    expect(ids(controller.get(new Select(list, { orderBy: () => order })))).toEqual(['3', '1']);
    const urgent = new Select(AssignedIssue, { orderBy: { priority: 'desc' } });
    const first = new Select(urgent, { orderBy: () => order, limit: 2 });
    expect(ids(controller.get(first))).toEqual(['4', '3']);
  });

  it('Select tests and sorts by fields of related entities, and follows their changes', () => {
    const controller = filled();
    const ofAnn = new Select(AssignedIssue, { where: { assignee: { name: { startsWith: 'A' } } } });
    expect(ids(controller.get(ofAnn))).toEqual(['2']);
    controller.set(User, { id: 'u1' }, { name: 'Bob' });
    expect(ids(controller.get(ofAnn))).toEqual([]);
    const byName = new Select(AssignedIssue, { orderBy: { assignee: { name: 'asc' } } });
    expect(ids(controller.get(byName))).toEqual(['2', '1', '3', '4', '5']);
  });

  it('0 and -0 are equal, whether or not an index already has the row', () => {
    const rows = [
      { id: '1', priority: 0 },
      { id: '2', priority: -0 },
    ];
    const ofPriority = new Select(AssignedIssue, {
      where: ({ priority }: { priority: number }) => ({ priority }),
    });
    for (const priority of [0, -0]) {
      const controller = new Controller();
      controller.set([AssignedIssue], rows);
      expect(ids(controller.get(ofPriority, { priority }))).toEqual(['1', '2']);
      controller.set(AssignedIssue, { id: '3' }, { priority: 1 });
      expect(ids(controller.get(ofPriority, { priority: 1 }))).toEqual(['3']);
      expect(ids(controller.get(ofPriority, { priority }))).toEqual(['1', '2']);
    }
  });

  it.each([
    ['by an index', {}],
    ['over a filtered list', { filter: () => true }],
  ])(
    'an offset or limit that is negative or NaN counts as 0, and a fraction is cut off, %s',
    (_, options) => {
      const controller = filled();
      const get = (window: object) =>
        ids(controller.get(new Select(AssignedIssue, { ...options, ...window })));
      expect(get({ offset: -2, limit: 2 })).toEqual(['1', '2']);
      expect(get({ offset: -2 })).toEqual(['1', '2', '3', '4', '5']);
      expect(get({ limit: -1 })).toEqual([]);
      expect(get({ offset: NaN, limit: 2 })).toEqual(['1', '2']);
      expect(get({ limit: NaN })).toEqual([]);
      expect(get({ offset: 1.5, limit: 1.5 })).toEqual(['2']);
      // As JavaScript passes the parameters of a URL.
      expect(get({ offset: '1', limit: '2' })).toEqual(['2', '3']);
    },
  );

  it('an undefined condition is none, also under NOT and OR, and of a related entity', () => {
    const controller = filled();
    const get = (where: object) => ids(controller.get(new Select(AssignedIssue, { where })));
    const all = ['1', '2', '3', '4', '5'];
    expect(get({ NOT: { title: { contains: undefined } } })).toEqual(all);
    expect(get({ NOT: [{ state: undefined }, { state: 'closed' }] })).toEqual(['1', '2', '4', '5']);
    expect(get({ NOT: { AND: [{ state: undefined }], OR: [{ title: undefined }] } })).toEqual(all);
    expect(get({ OR: [{ title: { contains: undefined } }, { state: 'closed' }] })).toEqual(all);
    expect(get({ OR: [] })).toEqual([]);
    expect(get({ assignee: { name: { contains: undefined } } })).toEqual(all);
    expect(get({ NOT: { assignee: { name: undefined } } })).toEqual(all);
    expect(get({ assignee: { name: undefined, exists: true } })).toEqual(['2']);
  });

  it('the source of a Select may be a filter, another Select or a window of it', () => {
    const controller = filled();
    const even = new Select(openIssues, { filter: ({ id }) => Number(id) % 2 === 0 });
    expect(even).toBeDefined();
    const open = new Select(AssignedIssue, { where: { state: 'open' }, orderBy: { priority: 'desc' } });
    const first = new Select(open, { filter: ({ assignee }) => assignee === null, limit: 1 });
    expect(ids(controller.get(open))).toEqual(['4', '2', '1', '5']);
    expect(ids(controller.get(first))).toEqual(['4']);
    const ofFirst = new Select(new Select(open, { limit: 2 }), { orderBy: { priority: 'asc' } });
    expect(ids(controller.get(ofFirst))).toEqual(['2', '4']);
    controller.set(AssignedIssue, { id: '1' }, { priority: 9 });
    expect(ids(controller.get(ofFirst))).toEqual(['4', '1']);
    expect(ids(controller.get(first))).toEqual(['1']);
  });

  it('Select equals a filter and sort of all rows', () => {
    const controller = filled();
    const all = controller.get(new All(AssignedIssue));
    expect(controller.get(new Select(AssignedIssue))).toEqual(all);
  });
});

describe('an operator that does not exist, or not for its operand', () => {
  it.each([
    { title: { like: 'a' } },
    { title: { contains: 'a', like: 'b' } },
    { priority: { above: 1 } },
    { priority: { in: 1 } },
    { id: { notIn: new Set(['1']) } },
  ])('throws instead of matching nothing: %j', (where) => {
    const query = new Select(AssignedIssue, { where: where as object });
    expect(() => filled().get(query)).toThrow(expect.objectContaining({ code: 'HF_NOT_QUERYABLE' }));
  });
});

describe('Aggregate', () => {
  const counts = new Aggregate(AssignedIssue, {
    where: ({ project }: { project: string }) => ({ projectId: project }),
    groupBy: 'state',
    values: { n: 'count', last: { max: 'updatedAt' }, total: { sum: 'priority' }, mean: { avg: 'priority' } },
  });

  it('Aggregate counts by group, and keeps the groups that did not change', () => {
    const controller = filled();
    const before = controller.get(counts, { project: 'a' });
    expect(before).toEqual({
      open: { n: 3, last: new Date('2026-02-01T00:00:00Z'), total: 4, mean: 4 / 3 },
      closed: { n: 1, last: new Date(0), total: 3, mean: 3 },
    });
    controller.set(AssignedIssue, { id: '5' }, { updatedAt: '2025-01-01T00:00:00Z' });
    const after = controller.get(counts, { project: 'a' });
    expect(after?.['open']?.last).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(after?.['closed']).toBe(before?.['closed']);
    controller.set(AssignedIssue, { id: '3' }, { state: 'open' });
    expect(controller.get(counts, { project: 'a' })).toEqual({
      open: { n: 4, last: new Date('2026-01-01T00:00:00Z'), total: 7, mean: 7 / 4 },
    });
  });

  it('Aggregate without groups returns the values alone', () => {
    const controller = filled();
    const all = new Aggregate(AssignedIssue, { values: { n: 'count', least: { min: 'title' } } });
    const { n, least } = controller.get(all) ?? { n: 0, least: '' };
    expect([n, least]).toEqual([5, 'Fifth']);
    const none = new Aggregate(AssignedIssue, {
      where: { title: 'x' },
      values: { n: 'count', least: { min: 'title' } },
    });
    expect(controller.get(none)).toEqual({ n: 0, least: undefined });
  });

  it('Aggregate counts the members of a filter, a window or a list', () => {
    const controller = filled();
    const long = new Aggregate(AssignedIssue, {
      filter: ({ title }) => title.length > 5,
      values: { n: 'count' },
    });
    expect(controller.get(long)).toEqual({ n: 2 });
    const two = new Aggregate(new Select(AssignedIssue, { limit: 2 }), {
      values: { n: 'count', sum: { sum: 'priority' } },
    });
    expect(controller.get(two)).toEqual({ n: 2, sum: 3 });
  });

  it.each([
    ['by an index', {}],
    ['over a filtered list', { filter: ({ priority }: AssignedIssue) => priority > 0 }],
  ])('groups stay identical when another member takes the place of an equal one, %s', (_, options) => {
    const controller = filled();
    const byState = new Aggregate(AssignedIssue, {
      ...options,
      groupBy: 'state',
      values: { n: 'count', last: { max: 'updatedAt' } },
    });
    controller.watch(byState, () => undefined);
    const before = controller.get(byState);
    controller.batch(() => {
      controller.set(AssignedIssue, { id: '3' }, { state: 'open' });
      controller.set(AssignedIssue, { id: '4' }, { state: 'closed' });
    });
    expect(controller.get(byState)).toBe(before);
    controller.set(AssignedIssue, { id: '3' }, { title: 'Renamed' });
    expect(controller.get(byState)).toBe(before);
  });

  it('Aggregate leaves infinite numbers out of sums', () => {
    const controller = filled();
    const sum = new Aggregate(AssignedIssue, { values: { total: { sum: 'priority' } } });
    controller.watch(sum, () => undefined);
    controller.set(AssignedIssue, { id: '1' }, { priority: Infinity });
    controller.set(AssignedIssue, { id: '1' }, { priority: 1 });
    expect(controller.get(sum)).toEqual({ total: 11 });
  });

  it.each([
    ['by an index', {}],
    ['over a filtered list', { filter: () => true }],
  ])(
    'Aggregate counts references, and rejects other values and groups of relations and getters, %s',
    (_, options) => {
      class TitledIssue extends AssignedIssue {
        get length() {
          return this.title.length;
        }
      }
      const controller = filled();
      const assigned = new Aggregate(AssignedIssue, { ...options, values: { n: { count: 'assignee' } } });
      expect(controller.get(assigned)).toEqual({ n: 1 });
      const byAssignee = new Aggregate(AssignedIssue, {
        ...options,
        groupBy: 'assignee' as never,
        values: { n: 'count' },
      });
      expect(() => controller.get(byAssignee)).toThrow(
        'groupBy takes a plain value, but assignee is a relation',
      );
      const totalLength = new Aggregate(TitledIssue, { ...options, values: { n: { sum: 'length' } } });
      expect(() => controller.get(totalLength)).toThrow('HF_NOT_QUERYABLE');
    },
  );
});

describe('rows that cannot be shown yet', () => {
  class Task extends Entity {
    id = '';
    list = '';
    owner = User.fromJS({});
    static override key = 'Task';
    static override schema = { owner: User };
  }

  const tasks = new Select(Task, { where: ({ list }: { list: string }) => ({ list }) });

  it('rows that cannot be shown yet are found once their required relation arrives, even if the query was not read in between', () => {
    const controller = new Controller();
    controller.set(Task, { id: '1' }, { id: '1', list: 'a', owner: 'u1' });
    const stop = controller.watch(tasks, { list: 'a' }, () => undefined);
    expect(controller.get(tasks, { list: 'a' })).toEqual([]);
    stop();
    controller.set(User, { id: 'u1' }, { id: 'u1', name: 'Ann' });
    expect(ids(controller.get(tasks, { list: 'a' }) as never)).toEqual(['1']);
    const again = controller.watch(tasks, { list: 'a' }, () => undefined);
    expect(ids(controller.get(tasks, { list: 'a' }) as never)).toEqual(['1']);
    again();
  });
});

describe('a condition on a relation that is a Collection', () => {
  class Board extends Entity {
    id = '';
    issues: AssignedIssue[] = [];
    static override key = 'Board';
    static override schema = {
      issues: new Collection([AssignedIssue], { nestKey: ({ id }) => ({ board: id }) }),
    };
  }

  const issue = (id: string, priority: number): AssignedIssue => AssignedIssue.fromJS({ id, priority });
  const urgent = new Select(Board, { where: { issues: { some: { priority: { gte: 3 } } } } });

  it('a condition on a Collection follows members that are added and changed', () => {
    const controller = new Controller();
    const seen: (string[] | undefined)[] = [];
    controller.set(Board, { id: 'b1' }, { id: 'b1', issues: [issue('1', 1)] });
    controller.watch(urgent, (boards) => seen.push(boards?.map(({ id }) => id)));
    expect(controller.get(urgent)).toEqual([]);
    controller.set(AssignedIssue, { id: '1' }, { priority: 3 });
    controller.set(AssignedIssue, { id: '1' }, { priority: 2 });
    controller.set(Board, { id: 'b1' }, { issues: [issue('1', 2), issue('2', 5)] });
    expect(seen).toEqual([['b1'], [], ['b1']]);
  });
});

describe('a relation that the class which has stored the rows does not declare', () => {
  class Bare extends Entity {
    id = '';
    title = '';
    static override key = 'Ticket';
  }
  class Ticket extends Bare {
    owner: User | null = null;
    readers: readonly User[] = [];
    static override schema = { owner: User, readers: [User] };
  }
  const getTickets = new Endpoint((tickets: object[]) => Promise.resolve(tickets), {
    name: 'getTickets',
    schema: [Bare],
  });
  const [ann, bea] = [
    { id: 'a', name: 'Ann' },
    { id: 'b', name: 'Bea' },
  ];

  it.each([true, false])(
    'is found by live queries, whether they are read before: %s',
    async (isReadBefore) => {
      const ofAnn = new Select(Ticket, { where: { owner: { name: 'Ann' } } });
      const readByBea = new Aggregate(Ticket, {
        where: { readers: { some: { name: 'Bea' } } },
        values: { n: 'count' },
      });
      const controller = new Controller();
      const shown: { ids?: readonly string[] | undefined; n?: number | undefined } = {};
      const watch = (): void => {
        controller.watch(ofAnn, (tickets) => (shown.ids = tickets?.map(({ id }) => id)));
        controller.watch(readByBea, (counts) => (shown.n = counts?.n));
      };
      if (isReadBefore) watch();
      await controller.fetch(getTickets, [
        { id: '1', owner: ann },
        { id: '2', owner: bea, readers: [bea, ann] },
      ]);
      expect(controller.get(ofAnn)?.map(({ owner }) => owner)).toEqual([controller.get(User, { id: 'a' })]);
      expect(controller.get(readByBea)).toEqual({ n: 1 });
      if (!isReadBefore) watch();
      await controller.fetch(getTickets, [{ id: '3', owner: ann, readers: [bea] }]);
      expect(controller.get(ofAnn)?.map(({ id }) => id)).toEqual(['1', '3']);
      expect(controller.get(readByBea)).toEqual({ n: 2 });
      await Promise.resolve();
      expect(shown).toEqual({ ids: ['1', '3'], n: 2 });
    },
  );
});
