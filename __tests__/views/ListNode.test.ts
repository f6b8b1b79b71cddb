import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Controller, Delete, Endpoint, Entity, type Schema } from 'holdfast';
import { Issue } from '../support/entities.ts';

class Project extends Entity {
  id = '';
  name = '';
  issues: (Issue | null)[] = [];
  pinned: Issue[] = [];
  static override key = 'Project';
  static override schema: Readonly<Record<string, Schema>> = { issues: [Issue], pinned: [Issue] };
}

const getList = new Endpoint(async (): Promise<unknown> => null, { name: 'getList', schema: [Issue] });
const getPage = new Endpoint(async (): Promise<unknown> => null, {
  name: 'getPage',
  schema: { issues: [Issue], next: '' },
});
const getProject = new Endpoint(async (): Promise<unknown> => null, { name: 'getProject', schema: Project });
const remove = new Endpoint(async (id: string) => id, {
  name: 'remove',
  schema: new Delete(Issue),
  sideEffect: true,
});

/** A list may be long or short; one of 32 and more members has a node of its own, with the same results. */
const lengths = [0, 1, 2, 30, 31, 32, 33, 40];
/** Issues with these ids come and go. */
const ids = Array.from({ length: 45 }, (_, id) => `i${id}`);
const id = fc.constantFrom(...ids);

type Item = string | null;

/** What was read at one moment: the pks, the members that there are of them, and the arrays that they were read in. */
interface Shown {
  readonly list: readonly Item[];
  readonly shown: readonly unknown[];
  readonly arrays: readonly unknown[];
}

type Edit =
  | { readonly type: 'push' | 'unshift'; readonly item: Item }
  | { readonly type: 'insert'; readonly at: number; readonly item: Item }
  | { readonly type: 'remove'; readonly at: number }
  | { readonly type: 'move'; readonly at: number; readonly to: number }
  | { readonly type: 'repeat'; readonly at: number; readonly times: number }
  | { readonly type: 'cut'; readonly length: number }
  | { readonly type: 'store' | 'delete' | 'rename'; readonly id: string }
  | { readonly type: 'renameProject' };

const item = fc.oneof({ arbitrary: id, weight: 9 }, { arbitrary: fc.constant(null), weight: 1 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ type: fc.constantFrom('push' as const, 'unshift' as const), item }),
  fc.record({ type: fc.constant('insert' as const), at: fc.nat(), item }),
  fc.record({ type: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ type: fc.constant('move' as const), at: fc.nat(), to: fc.nat() }),
  fc.record({ type: fc.constant('repeat' as const), at: fc.nat(), times: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant('cut' as const), length: fc.constantFrom(...lengths) }),
  fc.record({ type: fc.constantFrom('store' as const, 'delete' as const, 'rename' as const), id }),
  fc.record({ type: fc.constant('renameProject' as const) }),
);

function edited(list: readonly Item[], change: Edit): Item[] {
  const next = [...list];
  if (change.type === 'push') next.push(change.item);
  else if (change.type === 'unshift') next.unshift(change.item);
  else if (change.type === 'insert') next.splice(change.at % (next.length + 1), 0, change.item);
  else if (change.type === 'remove') next.splice(change.at % Math.max(1, next.length), 1);
  else if (change.type === 'move' && next.length > 0) {
    const [moved] = next.splice(change.at % next.length, 1);
    next.splice(change.to % (next.length + 1), 0, moved!);
  } else if (change.type === 'repeat' && next.length > 0) {
    const at = change.at % next.length;
    next.splice(at, 0, ...new Array<Item>(change.times).fill(next[at]!));
  } else if (change.type === 'cut') {
    const filler = ids.slice(0, Math.max(0, change.length - next.length));
    return [...next.slice(0, change.length), ...filler];
  }
  return next;
}

describe('lists of every length', () => {
  it('a list shows the stored members in order, as the objects that they are everywhere', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...lengths),
        fc.boolean(),
        fc.array(fc.tuple(edit, fc.boolean()), { maxLength: 20 }),
        (length, watched, edits) => {
          const controller = new Controller();
          let list: Item[] = ids.slice(0, length);
          const stored = new Map<string, number>(ids.slice(0, 38).map((known) => [known, 0]));
          let renames = 0;
          controller.setResponse(
            getList,
            [...stored.keys()].map((known) => ({ id: known, title: '0' })),
          );
          const show = (): void => {
            controller.setResponse(getList, list);
            controller.setResponse(getPage, { issues: list, next: '' });
            controller.setResponse(getProject, { id: 'p', issues: list, pinned: list.slice(0, 33) });
          };
          show();
          if (watched) controller.watch(getProject, () => undefined);
          let before: Shown | undefined;
          for (const [change, readsBetween] of edits) {
            if (change.type === 'store') {
              controller.set(Issue, { id: change.id }, { id: change.id, title: 'stored' });
              stored.set(change.id, 0);
            } else if (change.type === 'delete') {
              controller.setResponse(remove, change.id, change.id);
              stored.delete(change.id);
            } else if (change.type === 'rename') {
              if (stored.has(change.id))
                controller.set(Issue, { id: change.id }, { title: `renamed ${(renames += 1)}` });
            } else if (change.type === 'renameProject') {
              controller.set(Project, { id: 'p' }, { name: `renamed ${(renames += 1)}` });
            } else {
              list = edited(list, change);
              show();
            }
            if (!readsBetween) {
              before = undefined;
              continue;
            }
            const shown = list
              .filter((member) => member !== null && stored.has(member))
              .map((member) => controller.get(Issue, { id: member ?? '' }));
            const project = controller.getResponse(getProject).data!;
            const arrays = [
              controller.getResponse(getList).data,
              controller.getResponse(getPage).data?.issues,
              project.issues,
            ];
            for (const array of arrays) expect(same(array, shown)).toBe(true);
            const pinned = list
              .slice(0, 33)
              .filter((member) => member !== null && stored.has(member))
              .map((member) => controller.get(Issue, { id: member ?? '' }));
            expect(same(project.pinned, pinned)).toBe(true);
            expect(arrays.every(Object.isFrozen)).toBe(true);
            // An array is another one only where a member is.
            if (before !== undefined && same(before.list, list) && same(before.shown, shown)) {
              expect(arrays.map((array, index) => array === before?.arrays[index])).toEqual([
                true,
                true,
                true,
              ]);
            }
            before = { list, shown, arrays };
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each(lengths)(
    'a list of %i keeps its other members when one changes, and its identity if that one is left out',
    (length) => {
      const controller = new Controller();
      const issues = ids.slice(0, length).map((known) => ({ id: known, title: known }));
      controller.setResponse(getList, issues);
      const before = controller.getResponse(getList).data!;
      expect(before.map((issue) => issue.id)).toEqual(issues.map((issue) => issue.id));
      controller.set(Issue, { id: 'beside' }, { id: 'beside' });
      expect(controller.getResponse(getList).data).toBe(before);
      if (length === 0) return;
      controller.set(Issue, { id: 'i0' }, { title: 'changed' });
      const after = controller.getResponse(getList).data!;
      expect(after[0]?.title).toBe('changed');
      expect(after.slice(1).every((issue, index) => issue === before[index + 1])).toBe(true);
    },
  );

  it('an empty list that becomes long shows all members', () => {
    const controller = new Controller();
    controller.setResponse(getProject, { id: 'p', issues: [] });
    expect(controller.getResponse(getProject).data?.issues).toEqual([]);
    controller.setResponse(getProject, { id: 'p', issues: ids.map((known) => ({ id: known })) });
    expect(controller.getResponse(getProject).data?.issues).toHaveLength(ids.length);
  });
});

function same(left: readonly unknown[] | undefined, right: readonly unknown[]): boolean {
  return left?.length === right.length && left.every((member, index) => member === right[index]);
}
