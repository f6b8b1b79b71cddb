/** Types of live queries: what compiles, and what does not. Checked by `npm run types`. */
import { Aggregate, Collection, Entity, Select, Union, type Controller } from 'holdfast';
import { useQuery } from 'holdfast/react';
import type { Equal } from './equal.ts';
import type { User } from '../support/entities.ts';

/** Compiles only where a value is of exactly this type. */
declare function equal<Expected>(): <Found>(
  found: Equal<Found, Expected> extends true ? Found : never,
) => void;
class TypedIssue extends Entity {
  id = '';
  type = 'issue';
  title = '';
  state: 'open' | 'closed' = 'open';
  size = 0;
  isDone = false;
  due = new Date();
  owner: User | null = null;
  helpers: User[] = [];
  tags: string[] = [];
  steps: { text: string }[] = [];
  static override key = 'Issue';
  label() {
    return this.title;
  }
}
class TypedNote extends Entity {
  id = '';
  type = 'note';
  text = '';
  static override key = 'Note';
}

declare const controller: Controller;

const byTitle = new Select(TypedIssue, {
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
  filter: (issue, { text }) => issue.label() === text,
  orderBy: [{ size: 'desc' }, { owner: { name: 'asc' } }, { title: { nulls: 'first' } }],
  limit: ({ text }) => text?.length,
});
equal<TypedIssue[] | undefined>()(controller.get(byTitle, { state: 'open' }));
equal<TypedIssue[] | undefined>()(useQuery(byTitle, { state: 'open' }));
// @ts-expect-error -- args are those of its functions
controller.get(byTitle, { state: 'late' });
// @ts-expect-error -- and are needed
controller.get(byTitle);

const all = new Select(TypedIssue);
equal<TypedIssue[] | undefined>()(controller.get(all));
// @ts-expect-error -- it takes none
controller.get(all, { state: 'open' });

new Select(TypedIssue, { where: { owner: null } });
new Select(TypedIssue, { where: { owner: { exists: true } } });
new Select(new Collection([TypedIssue]), { where: { state: 'open' } });
new Select(byTitle, { orderBy: { title: 'asc' } });

const listed = new Select(new Collection([TypedIssue]), { orderBy: { title: 'asc' } });
// The args of a list are those of its endpoint.
equal<TypedIssue[] | undefined>()(controller.get(listed, { project: '1' }));
equal<TypedIssue[] | undefined>()(useQuery(new Select(listed, { limit: 5 }), { project: '1' }));
controller.get(listed);
const listedBy = new Select(new Collection([TypedIssue]), {
  where: ({ state }: { project: string; state: 'open' | 'closed' }) => ({ state }),
});
controller.get(listedBy, { project: '1', state: 'open' });
// @ts-expect-error -- the args of its function are needed
controller.get(listedBy, { project: '1' });
const either = new Select(new Union({ issue: TypedIssue, note: TypedNote }, 'type'), {
  where: { text: 'a' },
});
equal<(TypedIssue | TypedNote)[] | undefined>()(controller.get(either));

// @ts-expect-error -- no such field
new Select(TypedIssue, { where: { nope: 1 } });
// @ts-expect-error -- no such field beside others
new Select(TypedIssue, { where: () => ({ title: 'a', nope: 1 }) });
// @ts-expect-error -- a method is no field
new Select(TypedIssue, { where: { label: 'a' } });
// @ts-expect-error -- an operand of another type
new Select(TypedIssue, { where: { size: 'a' } });
// @ts-expect-error -- an operand of another type, in a function
new Select(TypedIssue, { where: () => ({ size: { lt: 'a' } }) });
// @ts-expect-error -- no such operator
new Select(TypedIssue, { where: { title: { like: 'a' } } });
// @ts-expect-error -- no such operator beside others
new Select(TypedIssue, { where: () => ({ title: { contains: 'a', like: 'a' } }) });
// @ts-expect-error -- an operator of texts
new Select(TypedIssue, { where: { size: { contains: 'a' } } });
// @ts-expect-error -- no such field of a related entity
new Select(TypedIssue, { where: () => ({ owner: { name: 'a', age: 1 } }) });
// @ts-expect-error -- no such field in one of several conditions
new Select(TypedIssue, { where: () => ({ OR: [{ title: 'a' }, { titel: 'a' }] }) });
// @ts-expect-error -- no such field in a condition that must not hold
new Select(TypedIssue, { where: () => ({ title: 'a', NOT: { titel: 'a' } }) });
// @ts-expect-error -- no such operator in one of several conditions
new Select(TypedIssue, { where: () => ({ AND: [{ title: { contains: 'a', like: 'a' } }] }) });
// @ts-expect-error -- no such field of the members of a list
new Select(TypedIssue, { where: () => ({ helpers: { some: { name: 'a', age: 1 } } }) });
new Select(TypedIssue, {
  where: ({ titles, text }: { titles: string[]; text?: string }) => ({
    OR: titles.map((title) => ({ title })),
    AND: [text === undefined ? undefined : { steps: { some: { text } } }, { OR: [{ size: 1 }] }],
    owner: titles.length > 0 ? { exists: true, name: 'Ann' } : null,
  }),
});
// @ts-expect-error -- no such state
new Select(TypedIssue, { where: { state: 'late' } });
// @ts-expect-error -- no such direction
new Select(TypedIssue, { orderBy: { size: 'up' } });
// @ts-expect-error -- no such field to sort by
new Select(TypedIssue, { orderBy: { nope: 'asc' } });

const counts = new Aggregate(TypedIssue, {
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
const total = new Aggregate(TypedIssue, { values: { n: 'count' } });
equal<{ readonly n: number } | undefined>()(controller.get(total));
// @ts-expect-error -- a text has no sum
new Aggregate(TypedIssue, { values: { n: { sum: 'title' } } });
// @ts-expect-error -- no such field to group by
new Aggregate(TypedIssue, { groupBy: 'nope', values: { n: 'count' } });
// @ts-expect-error -- a relation names no group
new Aggregate(TypedIssue, { groupBy: 'owner', values: { n: 'count' } });
// @ts-expect-error -- a list names no group
new Aggregate(TypedIssue, { groupBy: 'tags', values: { n: 'count' } });
new Aggregate(TypedIssue, { groupBy: 'isDone', values: { n: 'count' } });
new Aggregate(TypedIssue, { groupBy: 'due', values: { n: 'count' } });
// @ts-expect-error -- no such kind
new Aggregate(TypedIssue, { values: { n: { median: 'size' } } });
