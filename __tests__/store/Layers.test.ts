import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Changes, State, StoredRow } from 'holdfast';
import { Layers } from '../../src/store/Layers.ts';
import { transact, type Recipe, type Writer } from '../../src/store/transaction.ts';
import { contents, emptyState, mutationMeta, result, row } from './rows.ts';
import { runs } from '../support/runs.ts';

/** The places that transactions of these tests read and write: eight rows and two results. */
const places = Array.from({ length: 10 }, (_, place) => place);

function read(writer: Writer, place: number): number | undefined {
  const stored = place < 8 ? writer.row(`table${place % 2}`, String(place)) : writer.result(String(place));
  return (stored?.value as { n: number } | undefined)?.n; // what write() puts there
}

function write(writer: Writer, place: number, n: number | undefined): void {
  const table = `table${place % 2}`;
  if (place < 8) {
    if (n === undefined) writer.deleteRow(table, String(place));
    else writer.setRow(table, String(place), row({ n }));
  } else if (n === undefined) writer.deleteResult(String(place));
  else writer.setResult(String(place), result({ n }));
}

/** One step of a transaction: reads one place, and by what it finds writes, deletes or does nothing in another. */
interface Step {
  readonly reads: number;
  readonly whenEven: number;
  readonly whenOdd: number;
  readonly plus: number;
  readonly deletes: boolean;
  /** Fails on a value that this divides. */
  readonly failsOn: number | undefined;
  /** Adds its own to the row that it reads, or to all of a table, as if they were lists. */
  readonly adds: 'none' | 'one' | 'all';
  readonly how: 'unshift' | 'push';
}

/** Replays that a run of events may cost; beyond, recipes do nothing, so that the test ends and fails. */
class Budget {
  left = 2_000;
}

function recipe(steps: readonly Step[], budget: Budget): Recipe {
  return (writer) => {
    if (budget.left-- <= 0) return;
    for (const { reads, whenEven, whenOdd, plus, deletes, failsOn, adds, how } of steps) {
      if (adds !== 'none')
        writer.changeLists({
          table: `table${reads % 2}`,
          pk: adds === 'one' ? String(reads % 8) : undefined,
          items: plus === 0 ? [] : [`added ${plus}`],
          how,
          where: (pk) => (Number(pk) + plus) % 3 !== 0,
          meta: mutationMeta(Infinity, Infinity),
        });
      // One that only adds stands on nothing.
      if (adds === 'all') continue;
      const found = read(writer, reads);
      if (failsOn !== undefined && found !== undefined && found % failsOn === 0) throw new Error('Refused');
      const target = (found ?? 0) % 2 === 0 ? whenEven : whenOdd;
      write(writer, target, deletes ? undefined : (found ?? 0) * 3 + plus);
    }
  };
}

const place = fc.integer({ min: 0, max: places.length - 1 });
const step: fc.Arbitrary<Step> = fc.record({
  reads: place,
  whenEven: place,
  whenOdd: place,
  plus: fc.integer({ min: 0, max: 9 }),
  deletes: fc.boolean(),
  failsOn: fc.option(fc.integer({ min: 2, max: 7 }), { nil: undefined, freq: 5 }),
  adds: fc.constantFrom('none', 'none', 'one', 'all'),
  how: fc.constantFrom('unshift', 'push'),
});
const steps = fc.array(step, { minLength: 1, maxLength: 3 });
const event = fc.oneof(
  fc.record({ type: fc.constant('push' as const), steps }),
  fc.record({
    type: fc.constant('base' as const),
    writes: fc.array(fc.tuple(place, fc.nat({ max: 99 })), { maxLength: 3 }),
    removes: fc.array(place, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('settle' as const),
    which: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
    writes: fc.array(fc.tuple(place, fc.nat({ max: 99 })), { maxLength: 2 }),
  }),
);

type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

/** A step with all the rest at its simplest. */
const simple = { whenEven: 0, whenOdd: 0, deletes: false, failsOn: undefined, how: 'unshift' } as const;

/** The surviving layers replayed on the base one by one; one that fails does nothing. */
function naive(base: State, layers: readonly Recipe[]): State {
  let head = base;
  for (const layer of layers) {
    try {
      head = transact(head, layer).state;
    } catch {
      // It shows nothing.
    }
  }
  return head;
}

/** Every place of which the row or result is another object than before, with what stood there before. */
function differing(before: State, after: State): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const [from, to] = [contents(before), contents(after)];
  for (const kind of ['rows', 'results'] as const) {
    for (const name of new Set([...from[kind].keys(), ...to[kind].keys()])) {
      if (from[kind].get(name) !== to[kind].get(name)) found.set(`${kind} ${name}`, from[kind].get(name));
    }
  }
  return found;
}

function named(changes: Changes): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [table, rows] of changes.rows)
    for (const [pk, before] of rows) found.set(`rows ${table}/${pk}`, before);
  for (const [key, before] of changes.results) found.set(`results ${key}`, before);
  return found;
}

/** Adds to a list, and so makes it, and then to all that there are; later, one that has added to it too is gone. */
const ADDED_TO_ALL_AFTER_MADE: Event[] = [
  {
    type: 'push',
    steps: [
      { ...simple, reads: 9, adds: 'one', plus: 1 },
      { ...simple, reads: 9, adds: 'all', plus: 6 },
    ],
  },
  { type: 'push', steps: [{ ...simple, reads: 9, adds: 'all', plus: 3 }] },
  { type: 'settle', which: [1], writes: [] },
];

/** More in a long run. */
const RUNS = runs(300);

describe('Layers', () => {
  it('head shows the surviving layers replayed on the base, whatever the order of events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), (events) => {
        const budget = new Budget();
        const layers = new Layers();
        let base = emptyState();
        let head = base;
        let pending: { id: number; recipe: Recipe }[] = [];
        for (const happening of events) {
          const before = head;
          let changes: Changes;
          if (happening.type === 'push') {
            const layer = recipe(happening.steps, budget);
            try {
              const pushed = layers.push(head, layer);
              ({ head, changes } = pushed);
              pending.push({ id: pushed.id, recipe: layer });
            } catch {
              continue; // refused at once: there is no layer
            }
          } else {
            const removed =
              happening.type === 'settle' && pending.length > 0
                ? happening.which.map((which) => pending[which % pending.length]!.id)
                : [];
            const outcome = transact(base, (writer) => {
              if (happening.type === 'base')
                for (const gone of happening.removes) write(writer, gone, undefined);
              for (const [where, n] of happening.writes) write(writer, where, n);
            });
            base = outcome.state;
            ({ head, changes } = layers.rebase(head, base, outcome.changes, removed));
            pending = pending.filter(({ id }) => !removed.includes(id));
          }
          expect(budget.left).toBeGreaterThan(0);
          expect(contents(head)).toEqual(
            contents(
              naive(
                base,
                pending.map((layer) => layer.recipe),
              ),
            ),
          );
          // What was written and undone again may be named, too.
          const differences = differing(before, head);
          const told = [...named(changes)].filter(([name]) => differences.has(name));
          expect(new Map(told)).toEqual(differences);
        }
        const rest = pending.map(({ id }) => id);
        expect(
          contents(layers.rebase(head, base, transact(base, () => undefined).changes, rest).head),
        ).toEqual(contents(base));
      }),
      { numRuns: RUNS, examples: [[ADDED_TO_ALL_AFTER_MADE]] },
    );
  });

  it('a change that affects no layer runs no layer', () => {
    const layers = new Layers();
    let runs = 0;
    const { head } = layers.push(emptyState(), (writer) => {
      runs += 1;
      writer.setRow('Article', '1', row({ title: 'optimistic' }));
    });
    const base = transact(emptyState(), (writer) => writer.setRow('Article', '2', row({ title: 'two' })));
    const next = layers.rebase(head, base.state, base.changes, []);
    expect(runs).toBe(1);
    expect([...contents(next.head).rows.keys()].sort()).toEqual(['Article/1', 'Article/2']);
  });

  it('head keeps the rows that a settled layer does not touch', () => {
    const layers = new Layers();
    const first = layers.push(emptyState(), (writer) => writer.setRow('Article', '1', row({ title: 'one' })));
    const second = layers.push(first.head, (writer) => writer.setRow('Article', '2', row({ title: 'two' })));
    const kept = contents(second.head).rows.get('Article/2');
    const { head, changes } = layers.rebase(
      second.head,
      emptyState(),
      transact(emptyState(), () => undefined).changes,
      [first.id],
    );
    expect(contents(head).rows.get('Article/2')).toBe(kept);
    expect([...named(changes).keys()]).toEqual(['rows Article/1']);
  });

  it('head is the base itself when the last layer is gone', () => {
    const layers = new Layers();
    const base = transact(emptyState(), (writer) => writer.setRow('Article', '1', row({ likes: 1 })));
    const pushed = layers.push(base.state, (writer) => {
      const stored = writer.row('Article', '1') as StoredRow; // the base has it
      writer.setRow('Article', '1', row({ likes: (stored.value?.likes as number) + 1 })); // set above
    });
    expect(contents(pushed.head).rows.get('Article/1')?.value).toEqual({ likes: 2 });
    const nothing = transact(base.state, () => undefined).changes;
    expect(layers.rebase(pushed.head, base.state, nothing, [pushed.id]).head).toBe(base.state);
  });

  it('removing a missing layer changes nothing', () => {
    const layers = new Layers();
    const pushed = layers.push(emptyState(), (writer) => writer.setResult('key', result(1)));
    const nothing = transact(emptyState(), () => undefined).changes;
    const { head } = layers.rebase(pushed.head, emptyState(), nothing, [99]);
    expect(contents(head).results.get('key')?.value).toBe(1);
  });

  it('clearing removes all layers at once', () => {
    const layers = new Layers();
    const first = layers.push(emptyState(), (writer) => writer.setResult('a', result(1)));
    const second = layers.push(first.head, (writer) => writer.setResult('b', result(2)));
    expect(layers.pending.clear()).toEqual([first.id, second.id]);
    const base = transact(emptyState(), (writer) => writer.setResult('a', result(5)));
    expect(layers.rebase(emptyState(), base.state, base.changes, []).head).toBe(base.state);
  });

  it('2,000 independent layers settle without replaying the waiting ones', () => {
    const layers = new Layers();
    let runs = 0;
    let base = emptyState();
    let head = base;
    const ids: number[] = [];
    for (let n = 0; n < 2_000; n++) {
      const pushed = layers.push(head, (writer) => {
        runs += 1;
        writer.row('Article', `settings`); // what many layers read and none writes
        writer.setRow('Article', `row${n}`, row({ n }));
      });
      head = pushed.head;
      ids.push(pushed.id);
    }
    for (const [n, id] of ids.entries()) {
      const confirmed = transact(base, (writer) =>
        writer.setRow('Article', `row${n}`, row({ n, confirmed: true })),
      );
      base = confirmed.state;
      ({ head } = layers.rebase(head, base, confirmed.changes, [id]));
    }
    expect(runs).toBe(2_000);
    expect(head).toBe(base);
  });

  it('a rebase ends when a layer that writes nothing has read what a replayed layer reads', () => {
    const layers = new Layers();
    let runs = 0;
    let { head } = layers.push(emptyState(), (writer) => {
      if (++runs > 100) return;
      writer.row('Article', 'settings');
      writer.setRow('Article', 'one', row({ n: 0 }));
    });
    ({ head } = layers.push(head, (writer) => void writer.row('Article', 'settings')));
    const base = transact(emptyState(), (writer) => writer.setRow('Article', 'one', row({ n: 1 })));
    layers.rebase(head, base.state, base.changes, []);
    expect(runs).toBe(2);
  });

  describe('that write elsewhere when the base has changed', () => {
    /** Writes `one` or `two`, by what the base says. */
    const switching: Recipe = (writer) => {
      const { to } = writer.row('Article', 'switch')?.value ?? { to: 'one' };
      writer.setRow('Article', to as string, row({ by: 'the switching layer' })); // the base has names there
    };
    const switched = transact(emptyState(), (writer) =>
      writer.setRow('Article', 'switch', row({ to: 'two' })),
    );

    it('layers that write elsewhere after a base change stay below later layers', () => {
      const layers = new Layers();
      const first = layers.push(emptyState(), switching);
      const second = layers.push(first.head, (writer) =>
        writer.setRow('Article', 'two', row({ by: 'a later layer' })),
      );
      const { head } = layers.rebase(second.head, switched.state, switched.changes, []);
      expect(contents(head).rows.get('Article/two')?.value).toEqual({ by: 'a later layer' });
      expect(contents(head).rows.has('Article/one')).toBe(false);
    });

    it('later layers are replayed if a layer below them writes elsewhere, where they have read', () => {
      const layers = new Layers();
      const first = layers.push(emptyState(), switching);
      const second = layers.push(first.head, (writer) => {
        writer.setRow('Article', 'copy', row({ of: writer.row('Article', 'two')?.value?.by ?? 'nothing' }));
      });
      const { head, changes } = layers.rebase(second.head, switched.state, switched.changes, []);
      expect(contents(head).rows.get('Article/copy')?.value).toEqual({ of: 'the switching layer' });
      expect([...named(changes).keys()].sort()).toEqual(
        ['copy', 'one', 'switch', 'two'].map((pk) => `rows Article/${pk}`),
      );
    });

    it('a layer does not see what later layers wrote', () => {
      const layers = new Layers();
      const first = layers.push(emptyState(), (writer) => {
        if (writer.row('Article', 'switch') === undefined) return;
        writer.setRow('Article', 'copy', row({ of: writer.row('Article', 'two')?.value?.by ?? 'nothing' }));
      });
      const second = layers.push(first.head, (writer) =>
        writer.setRow('Article', 'two', row({ by: 'a later layer' })),
      );
      const { head } = layers.rebase(second.head, switched.state, switched.changes, []);
      expect(contents(head).rows.get('Article/copy')?.value).toEqual({ of: 'nothing' });
    });
  });

  it('a rebase does not replay layers that only read the same as a replayed layer', () => {
    const layers = new Layers();
    const runs = [0, 0];
    let head = emptyState();
    for (const n of [0, 1]) {
      ({ head } = layers.push(head, (writer) => {
        runs[n]! += 1;
        writer.row('Article', 'settings');
        writer.setRow('Article', `row${n}`, row({ n }));
      }));
    }
    const base = transact(emptyState(), (writer) => writer.setRow('Article', 'row0', row({ n: 5 })));
    layers.rebase(head, base.state, base.changes, []);
    expect(runs).toEqual([2, 1]);
  });
});
