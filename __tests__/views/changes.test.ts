import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { All, Controller, Delete, Endpoint, Entity, type EntityValue, type Schema } from 'holdfast';

/**
 * Two classes read one table. Each entity may need another (without which it is missing), point to one loosely, and
 * hold a list, short or long. Any sequence of changes must leave what a naive reader of the rows would see.
 */
class Loose extends Entity {
  id = '';
  needs: Loose | null = Object.freeze({ isDefault: true }) as unknown as Loose; // an object: the field is required
  maybe: Checked | null | undefined = null;
  list: Loose[] = [];
  tag = '';
  static override key = 'Thing';
  static override indexes = ['tag'];
  static override schema: Readonly<Record<string, Schema>> = {};
}
class Checked extends Loose {
  static override validate(processed: EntityValue): string | undefined {
    return processed.ok === false ? 'it is not ok' : undefined;
  }
}
Loose.schema = { needs: Loose, maybe: Checked, list: [Loose] };
Checked.schema = { needs: Loose, maybe: Checked, list: [Checked] };
const classes = { Loose, Checked };
type ClassName = keyof typeof classes;

const write = new Endpoint(async (): Promise<unknown> => null, { name: 'write', schema: [Loose] });
const everything = new All(Checked);
const getAll = new Endpoint(async (): Promise<unknown> => null, { name: 'getAll', schema: [Checked] });
const remove = new Endpoint(async (id: string) => id, {
  name: 'remove',
  schema: new Delete(Loose),
  sideEffect: true,
});

interface Row {
  readonly id: string;
  readonly ok: boolean;
  readonly needs: string | null;
  readonly maybe: string | null;
  readonly list: readonly string[];
  readonly tag: string;
}

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const id = fc.constantFrom(...ids);
const row: fc.Arbitrary<Row> = fc.record({
  id,
  ok: fc.boolean(),
  tag: fc.constantFrom('x', 'y'),
  needs: fc.option(id, { freq: 2 }),
  maybe: fc.option(id, { freq: 2 }),
  list: fc.oneof(fc.array(id, { maxLength: 3 }), fc.array(id, { minLength: 30, maxLength: 34 })),
});
type Change =
  | { readonly type: 'write'; readonly rows: readonly Row[] }
  | { readonly type: 'remove'; readonly id: string }
  | { readonly type: 'reset' }
  | { readonly type: 'list'; readonly list: readonly string[] };
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'reset' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      rows: fc.array(row, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('remove' as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('list' as const), list: fc.array(id, { maxLength: 40 }) }),
  },
);

/** After a change everything is read, or one entity, or nothing: what is not read stays marked for the next change. */
const reading = fc.oneof(
  fc.constantFrom('all' as const, 'none' as const),
  fc.tuple(fc.constantFrom<ClassName>('Loose', 'Checked'), id),
);

/** Which entities a class can show: those that are stored and valid, and of which the needed one can be shown. */
function shownBy(rows: ReadonlyMap<string, Row>): Record<ClassName, Set<string>> {
  const loose = new Set(rows.keys());
  const lacking = (): string[] =>
    [...loose].filter((name) => {
      const { needs } = rows.get(name)!;
      return needs !== null && !loose.has(needs);
    });
  for (let lost = lacking(); lost.length > 0; lost = lacking()) for (const name of lost) loose.delete(name);
  return { Loose: loose, Checked: new Set([...loose].filter((name) => rows.get(name)!.ok)) };
}

/** The entities from which one of `starts` can be reached, by what rows have referred to. */
function reaching(
  references: ReadonlyMap<string, ReadonlySet<string>>,
  starts: Iterable<string>,
): Set<string> {
  const found = new Set(starts);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [name, others] of references)
      if ([...others].some((other) => found.has(other))) found.add(name);
  }
  return found;
}

describe('any sequence of changes', () => {
  it('any changes leave what a naive reader of the rows sees, and keep unaffected identities', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(change, reading), { maxLength: 20 }),
        fc.array(fc.tuple(fc.constantFrom<ClassName>('Loose', 'Checked'), id), { maxLength: 3 }),
        (changes, watches) => {
          const controller = new Controller();
          const get = (className: ClassName, name: string): Loose | undefined =>
            controller.get(classes[className], { id: name });
          let falseAlarms = 0;
          const watched = watches.map(([className, name]) => {
            const seen = { className, name, last: get(className, name) };
            controller.watch(classes[className], { id: name }, (thing) => {
              if (thing === seen.last) falseAlarms += 1;
              seen.last = thing;
            });
            return seen;
          });
          controller.watch(getAll, () => undefined);
          let all = controller.get(everything);
          controller.watch(everything, (things) => {
            if (things === all) falseAlarms += 1;
            all = things;
          });
          const rows = new Map<string, Row>();
          /** What each row has referred to since the last read. */
          const references = new Map<string, Set<string>>();
          let touched = new Set<string>();
          let before: Map<string, unknown> | undefined;
          let list: readonly string[] = [];
          const note = ({ id: name, needs, maybe, list: members }: Row): void => {
            const noted = references.get(name) ?? new Set<string>();
            for (const other of [needs, maybe, ...members]) if (other !== null) noted.add(other);
            references.set(name, noted);
          };
          for (const [next, reads] of changes) {
            if (next.type === 'write') {
              controller.setResponse(write, next.rows);
              for (const written of next.rows) {
                rows.set(written.id, written);
                touched.add(written.id);
                note(written);
              }
            } else if (next.type === 'remove') {
              controller.setResponse(remove, next.id, next.id);
              rows.delete(next.id);
              touched.add(next.id);
            } else if (next.type === 'reset') {
              void controller.reset();
              rows.clear();
              list = [];
              for (const name of ids) touched.add(name);
            } else {
              list = next.list;
              controller.setResponse(getAll, list);
            }
            for (const { className, name, last } of watched) expect(get(className, name)).toBe(last);
            if (typeof reads !== 'string') get(...reads);
            if (reads !== 'all') continue;

            const shown = shownBy(rows);
            const member = (className: ClassName, name: string): unknown[] =>
              shown[className].has(name) ? [get(className, name)] : [];
            const now = new Map<string, unknown>();
            for (const className of ['Loose', 'Checked'] as const) {
              for (const name of ids) {
                const thing = get(className, name);
                expect([className, name, thing !== undefined]).toEqual([
                  className,
                  name,
                  shown[className].has(name),
                ]);
                now.set(`${className} ${name}`, thing);
                const stored = rows.get(name);
                if (thing === undefined || stored === undefined) continue;
                const { needs, maybe, list: members } = stored;
                expect(thing).toBeInstanceOf(classes[className]);
                expect(thing.needs === (needs === null ? null : get('Loose', needs))).toBe(true);
                expect(thing.maybe === (maybe === null ? null : get('Checked', maybe))).toBe(true);
                expect(
                  isSame(
                    thing.list,
                    members.flatMap((other) => member(className, other)),
                  ),
                ).toBe(true);
                expect(Object.isFrozen(thing) && Object.isFrozen(thing.list)).toBe(true);
              }
            }
            const listed = controller.getResponse(getAll).data ?? [];
            expect(
              isSame(
                listed,
                list.flatMap((name) => member('Checked', name)),
              ),
            ).toBe(true);
            expect(controller.get(everything)).toBe(all);
            expect(new Set(all)).toEqual(new Set([...shown.Checked].map((name) => get('Checked', name))));
            expect(all ?? []).toHaveLength(shown.Checked.size);
            for (const tag of ['x', 'y']) {
              const named = [...rows.values()].filter((stored) => stored.tag === tag);
              const found = controller.get(Loose, { tag });
              // Of several rows with one value, any may be found.
              expect(named.some(({ id: name }) => get('Loose', name) === found) || named.length === 0).toBe(
                true,
              );
              if (named.length === 0) expect(found).toBeUndefined();
            }
            if (before !== undefined) {
              const reached = reaching(references, touched);
              for (const [name, thing] of before) {
                if (!reached.has(name.split(' ')[1]!))
                  expect([name, now.get(name) === thing]).toEqual([name, true]);
              }
            }
            before = now;
            touched = new Set();
            references.clear();
            for (const stored of rows.values()) note(stored);
          }
          expect(falseAlarms).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((thing, index) => thing === right[index]);
}
