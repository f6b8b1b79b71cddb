/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { Collection, Controller, Endpoint, Entity, type Commit, type Lookup } from 'holdfast';
import { DataProvider, useQuery, useSuspense } from 'holdfast/react';

/** How often something was done. */
interface Work {
  joined: number;
  merged: number;
  validated: number;
  told: number;
  rendered: number;
  /** How often args were looked up. */
  asked: number;
  /** Rows and results that a commit names as changed. */
  changed: number;
  /** Objects that were made to be stored, or joined: in development each is frozen once. */
  frozen: number;
}

const nothing: Work = {
  joined: 0,
  merged: 0,
  validated: 0,
  told: 0,
  rendered: 0,
  asked: 0,
  changed: 0,
  frozen: 0,
};

/** A store of `size` rows that were all read, with what counts the work done in it. */
function store(size: number) {
  const work = { ...nothing };
  class Row extends Entity {
    id = '';
    title = '';
    count = 0;
    static override key = 'Row';
    constructor() {
      super();
      work.joined += 1;
    }
    static override merge(existing: object, incoming: object) {
      work.merged += 1;
      return { ...existing, ...incoming };
    }
    static override queryKey(args: readonly unknown[], lookup?: Lookup) {
      work.asked += 1;
      return super.queryKey(args, lookup);
    }
    static override validate() {
      work.validated += 1;
      return undefined;
    }
  }
  const rows = new Collection([Row]);
  const getRows = new Endpoint(() => Promise.resolve([]), { name: 'getRows', schema: rows });
  const push = new Endpoint(() => Promise.resolve(), { name: 'push', schema: rows.push, sideEffect: true });
  const getRow = new Endpoint((_params: { id: string }) => Promise.resolve(), {
    name: 'getRow',
    schema: Row,
  });
  const commit = ({ headChanges }: Commit): void => {
    for (const changed of headChanges.rows.values()) work.changed += changed.size;
    work.changed += headChanges.results.size;
  };
  const controller = new Controller({ plugins: [{ name: 'counter', commit }] });
  const response = Array.from({ length: size }, (_, index) => ({
    id: `row-${index}`,
    title: `Row ${index}`,
    count: index,
  }));
  controller.setResponse(getRows, response);
  controller.getResponse(getRows);

  /** The work that `run` makes, what `again` reads of it afterwards included. */
  function measure(run: () => void, again: () => unknown): Work {
    again();
    Object.assign(work, nothing);
    const freeze = Object.freeze;
    Object.freeze = <T,>(value: T): T => {
      work.frozen += 1;
      return freeze(value);
    };
    try {
      run();
      again();
    } finally {
      Object.freeze = freeze;
    }
    return { ...work };
  }
  return { controller, work, Row, getRows, getRow, push, measure };
}

/** The same work in a small store and in a large one. */
const sizes = [1_000, 100_000] as const;

describe('work of one change', () => {
  it.each([
    [
      'of a row that is read by itself',
      (size: number) => {
        const { controller, Row, measure } = store(size);
        const id = `row-${size / 2}`;
        return measure(
          () => controller.set(Row, { id }, { title: 'Changed' }),
          () => controller.get(Row, { id }),
        );
      },
      { joined: 1, merged: 1, changed: 1 },
    ],
    [
      'of a row in a list that is read',
      (size: number) => {
        const { controller, Row, getRows, measure } = store(size);
        return measure(
          () => controller.set(Row, { id: 'row-7' }, { title: 'Changed' }),
          () => controller.getResponse(getRows).data,
        );
      },
      { joined: 1, merged: 1, changed: 1 },
    ],
    [
      'that adds a row to the list',
      (size: number) => {
        const { controller, getRows, push, measure } = store(size);
        return measure(
          () => controller.setResponse(push, { id: 'new', title: 'New' }),
          () => controller.getResponse(getRows).data,
        );
      },
      { joined: 1, merged: 0, changed: 2 },
    ],
    [
      'that brings nothing new',
      (size: number) => {
        const { controller, Row, measure } = store(size);
        return measure(
          () => controller.set(Row, { id: 'row-7' }, { title: 'Row 7' }),
          () => controller.get(Row, { id: 'row-7' }),
        );
      },
      { joined: 0, merged: 1 },
    ],
    [
      'that makes a result invalid',
      (size: number) => {
        const { controller, getRow, measure } = store(size);
        controller.setResponse(getRow, { id: 'row-7' }, { id: 'row-7', title: 'Row 7' });
        return measure(
          () => controller.invalidate(getRow, { id: 'row-7' }),
          () => controller.getResponse(getRow, { id: 'row-7' }).data,
        );
      },
      { joined: 0, merged: 0, changed: 1 },
    ],
  ])(
    'the work of one change, %s, is the same in a small store and in a large one',
    (_name, work, expected) => {
      const [small, large] = sizes.map(work);
      expect(small).toMatchObject(expected);
      expect(large).toEqual(small);
    },
  );

  it.each(sizes)("a change notifies one of %d rows' watchers", (size) => {
    const { controller, Row, work, measure } = store(size);
    for (let index = 0; index < size; index++)
      controller.watch(Row, { id: `row-${index}` }, () => (work.told += 1));
    const done = measure(
      () => controller.set(Row, { id: 'row-7' }, { title: 'Changed' }),
      () => undefined,
    );
    expect(done).toMatchObject({ told: 1, joined: 1, merged: 1, changed: 1 });
  });

  it.each(sizes)('a change renders one component with %d rows stored', (size) => {
    const { controller, Row, work, measure } = store(size);
    function Title({ id }: { readonly id: string }) {
      work.rendered += 1;
      return <p>{useQuery(Row, { id })?.title}</p>;
    }
    render(
      <DataProvider controller={controller}>
        {Array.from({ length: 100 }, (_, index) => (
          <Title key={index} id={`row-${index}`} />
        ))}
      </DataProvider>,
    );
    const done = measure(
      () => act(() => controller.set(Row, { id: 'row-7' }, { title: 'Changed' })),
      () => undefined,
    );
    expect(done).toMatchObject({ rendered: 1, joined: 1 });
  });

  it.each(sizes)('a mounting component looks up its args once with %d rows stored', (size) => {
    const { controller, Row, getRow, work, measure } = store(size);
    const hooks = [(id: string) => useQuery(Row, { id }), (id: string) => useSuspense(getRow, { id })];
    for (const useRow of hooks) {
      function Title({ id }: { readonly id: string }) {
        work.rendered += 1;
        return <p>{useRow(id)?.title}</p>;
      }
      const titles = Array.from({ length: 100 }, (_, index) => <Title key={index} id={`row-${index}`} />);
      const done = measure(
        () => render(<DataProvider controller={controller}>{titles}</DataProvider>),
        () => undefined,
      );
      expect(done).toMatchObject({ rendered: 100, asked: 100, joined: 0, merged: 0, changed: 0 });
    }
  });
});

/** How many entries are put into maps while `run` runs, also by those that are made of lists. */
function entriesMapped(run: () => void): number {
  const { set } = Map.prototype;
  let entries = 0;
  Map.prototype.set = function (this: Map<unknown, unknown>, key, value) {
    entries += 1;
    return set.call(this, key, value);
  };
  try {
    run();
  } finally {
    Map.prototype.set = set;
  }
  return entries;
}

describe('the work of a change of all results', () => {
  const get = new Endpoint((_params: { id: number }) => Promise.resolve(), { name: 'get' });
  const everything = { testKey: () => true };
  const size = 1_000;

  function results(commit: (commit: Commit) => void) {
    const controller = new Controller({ plugins: [{ name: 'reader', commit }] });
    controller.batch(() => {
      for (let id = 0; id < size; id++) controller.setResponse(get, { id }, `Response ${id}`);
    });
    return controller;
  }

  it.each(['expireAll', 'invalidateAll'] as const)(
    '%s creates a map of all results only for a plugin',
    (verb) => {
      const unread = results(() => undefined);
      expect(entriesMapped(() => unread[verb](everything))).toBeLessThan(10);

      const keys: string[] = [];
      let [found, shared] = [0, true];
      const read = results(({ action, base, baseChanges: { results: before }, headChanges }) => {
        if (action.type !== verb) return;
        keys.push(...before.keys());
        for (let id = 0; id < size; id++)
          if (before.get(get.key({ id }))?.value === `Response ${id}`) found += 1;
        shared =
          before === headChanges.results && keys.every((key) => base.results.get(key) !== before.get(key));
      });
      const mapped = entriesMapped(() => read[verb](everything));
      expect([keys.length, found, shared]).toEqual([size, size, true]);
      expect(mapped).toBeLessThan(size + 10);
    },
  );
});
