/* oxlint-disable typescript/no-unnecessary-type-parameters -- the usual way to compare types */
/** Live queries: what compiles, and what is refused, with every TypeScript that Holdfast promises. */
import { Aggregate, Collection, Entity, Select, Union, type Controller } from 'holdfast';
import { useQuery } from 'holdfast/react';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where a value is of exactly this type. */
declare function equal<Expected>(): <Found>(
  found: Equal<Found, Expected> extends true ? Found : never,
) => void;

class Person extends Entity {
  id = '';
  name = '';
}
class Task extends Entity {
  id = '';
  type = 'task';
  title = '';
  state: 'open' | 'closed' = 'open';
  size = 0;
  isDone = false;
  due = new Date();
  owner: Person | null = null;
  helpers: Person[] = [];
  tags: string[] = [];
  label() {
    return this.title;
  }
}
class Note extends Entity {
  id = '';
  type = 'note';
  text = '';
}

declare const controller: Controller;

const found = new Select(Task, {
  where: ({ text, state }: { text?: string; state: 'open' | 'closed' }) => ({
    state,
    title: { contains: text, ignoreCase: true },
    owner: { name: { startsWith: 'A' } },
    helpers: { some: { name: 'Ann' } },
    tags: { has: 'x' },
    due: { lt: new Date() },
    OR: [{ size: 1 }, { size: { gte: 2, lt: 4 } }, undefined],
    NOT: { isDone: true },
  }),
  filter: (task, { text }) => task.label() === text,
  orderBy: [{ size: 'desc' }, { owner: { name: 'asc' } }, { title: { nulls: 'first' } }],
  limit: ({ text }) => text?.length,
});
equal<Task[] | undefined>()(controller.get(found, { state: 'open' }));
equal<Task[] | undefined>()(useQuery(found, { state: 'open' }));
// @ts-expect-error -- another state than its args have
controller.get(found, { state: 'late' });
// @ts-expect-error -- without its args
controller.get(found);

new Select(new Collection([Task]), { where: { state: 'open' } });
new Select(found, { orderBy: { title: 'asc' } });
const either = new Select(new Union({ task: Task, note: Note }, 'type'), { where: { text: 'a' } });
equal<(Task | Note)[] | undefined>()(controller.get(either));

// @ts-expect-error -- no such field
new Select(Task, { where: { nope: 1 } });
// @ts-expect-error -- no such field beside others, in a function
new Select(Task, { where: () => ({ title: 'a', nope: 1 }) });
// @ts-expect-error -- a method is no field
new Select(Task, { where: { label: 'a' } });
// @ts-expect-error -- an operand of another type
new Select(Task, { where: { size: 'a' } });
// @ts-expect-error -- an operand of another type, in a function
new Select(Task, { where: () => ({ size: { lt: 'a' } }) });
// @ts-expect-error -- one operand of a list is of another type
new Select(Task, { where: { size: { in: [1, 'a'] } } });
// @ts-expect-error -- no such operator
new Select(Task, { where: { title: { like: 'a' } } });
// @ts-expect-error -- no such operator beside others, in a function
new Select(Task, { where: () => ({ title: { contains: 'a', like: 'a' } }) });
// @ts-expect-error -- an operator of texts
new Select(Task, { where: { size: { contains: 'a' } } });
// @ts-expect-error -- no such field of a related entity
new Select(Task, { where: () => ({ owner: { name: 'a', age: 1 } }) });
// @ts-expect-error -- no such field of the entities of a list
new Select(Task, { where: { helpers: { some: { age: 1 } } } });
// @ts-expect-error -- no such field in an alternative
new Select(Task, { where: { OR: [{ nope: 1 }] } });
// @ts-expect-error -- no such state
new Select(Task, { where: { state: 'late' } });
// @ts-expect-error -- no such direction
new Select(Task, { orderBy: { size: 'up' } });
// @ts-expect-error -- no such field to sort by
new Select(Task, { orderBy: { nope: 'asc' } });
// @ts-expect-error -- a limit is a number
new Select(Task, { limit: '5' });

const counts = new Aggregate(Task, {
  where: ({ title }: { title: string }) => ({ title }),
  groupBy: 'state',
  values: { n: 'count', last: { max: 'due' }, total: { sum: 'size' }, mean: { avg: 'size' } },
});
equal<
  | Readonly<
      Record<
        string,
        {
          readonly n: number;
          readonly last: Date | undefined;
          readonly total: number;
          readonly mean: number | undefined;
        }
      >
    >
  | undefined
>()(controller.get(counts, { title: 'a' }));
equal<{ readonly n: number } | undefined>()(controller.get(new Aggregate(Task, { values: { n: 'count' } })));
// @ts-expect-error -- a text has no sum
new Aggregate(Task, { values: { n: { sum: 'title' } } });
// @ts-expect-error -- no such field to aggregate
new Aggregate(Task, { values: { n: { max: 'nope' } } });
// @ts-expect-error -- no such field to group by
new Aggregate(Task, { groupBy: 'nope', values: { n: 'count' } });
// @ts-expect-error -- no such kind of value
new Aggregate(Task, { values: { n: { median: 'size' } } });
// @ts-expect-error -- an operand of another type
new Aggregate(Task, { where: { size: 'a' }, values: { n: 'count' } });
