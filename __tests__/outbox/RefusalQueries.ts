import { expect } from '@jest/globals';
import { inspect, isDeepStrictEqual } from 'node:util';
import { Aggregate, All, Entity, Select, type Controller } from 'holdfast';

/** Live queries of a page: as its classes are, they are its own. */
export class RefusalQueries {
  readonly #controller: Controller;
  readonly #all;
  readonly #queries;
  #isWatched = false;
  /** What each query gave last. */
  readonly #last = new Map<string, unknown>();

  constructor(controller: Controller) {
    this.#controller = controller;
    class TaskRead extends Entity {
      id = '';
      text = '';
      title = '';
      static override key = 'Task';
    }
    class RemarkRead extends Entity {
      id = '';
      text = '';
      title = '';
      task: TaskRead | null = null;
      static override key = 'Comment';
      static override schema = { task: TaskRead };
    }
    this.#all = { tasks: new All(TaskRead), remarks: new All(RemarkRead) };
    this.#queries = {
      created: new Select(TaskRead, { where: { text: { startsWith: 'n' } }, orderBy: { title: 'desc' } }),
      two: new Select(TaskRead, { where: { title: { ne: 'a' } }, orderBy: { text: 'asc' }, limit: 2 }),
      related: new Select(RemarkRead, {
        where: { task: { text: { startsWith: 'n' } } },
        orderBy: [{ task: { title: 'asc' } }, { text: 'asc' }],
      }),
      texts: new Aggregate(TaskRead, { groupBy: 'text', values: { n: 'count', last: { max: 'title' } } }),
      remarks: new Aggregate(RemarkRead, {
        where: { task: { title: { startsWith: 'n' } } },
        values: { n: 'count', first: { min: 'text' } },
      }),
    };
  }

  /** Shows all queries on screen. */
  watch(): void {
    this.#isWatched = true;
    const { two } = this.#queries;
    for (const [name, query] of Object.entries(this.#queries))
      this.#controller.watch(query as typeof two, (data: unknown) => this.#last.set(name, data)); // each is a query
  }

  /** Each result is what a plain computation gives for all rows, and the same object unless something in it has changed. */
  check(context: object): void {
    const { created, two, related, texts, remarks } = this.#queries;
    const tasks = this.#controller.get(this.#all.tasks);
    const all = this.#controller.get(this.#all.remarks);
    const ofNew = all?.filter(({ task }) => task?.text.startsWith('n') === true);
    const titled = all?.filter(({ task }) => task?.title.startsWith('n') === true);
    this.#see(
      context,
      'created',
      this.#controller.get(created),
      [...(tasks ?? []).filter(({ text }) => text.startsWith('n'))].sort(by(({ title }) => title, -1)),
      tasks,
    );
    this.#see(
      context,
      'two',
      this.#controller.get(two),
      (tasks ?? [])
        .filter(({ title }) => title !== 'a')
        .sort(by(({ text }) => text))
        .slice(0, 2),
      tasks,
    );
    this.#see(
      context,
      'related',
      this.#controller.get(related),
      (ofNew ?? []).sort(by(({ task, text }) => `${task!.title} ${text}`)),
      all,
    );
    const names = [...new Set((tasks ?? []).map(({ text }) => text))];
    this.#see(
      context,
      'texts',
      this.#controller.get(texts),
      Object.fromEntries(
        names.map((name) => {
          const group = (tasks ?? []).filter(({ text }) => text === name);
          return [
            name,
            {
              n: group.length,
              last: group
                .map(({ title }) => title)
                .sort()
                .at(-1),
            },
          ];
        }),
      ),
      tasks,
    );
    this.#see(
      context,
      'remarks',
      this.#controller.get(remarks),
      { n: titled?.length, first: titled?.map(({ text }) => text).sort()[0] },
      all,
    );
  }

  #see(context: object, name: string, found: unknown, wanted: unknown, rows: unknown): void {
    // Without a row, there is no table.
    if (rows === undefined) return;
    expect({ ...context, name, found }).toEqual({ ...context, name, found: wanted });
    const last = this.#last.get(name);
    this.#last.set(name, found);
    const isEqual = Array.isArray(found)
      ? Array.isArray(last) && found.length === last.length && found.every((each, at) => each === last[at])
      : isDeepStrictEqual(found, last);
    // What nobody watches may have changed meanwhile, and changed back.
    if (this.#isWatched && isEqual && found !== last)
      throw new Error(`${name}: ${inspect(found)} is a new object after ${inspect(context)}`);
    if (Array.isArray(found) && Array.isArray(wanted))
      found.forEach((each, at) => expect(each).toBe(wanted[at]));
  }
}

/** Compares by a text, and of equal ones by the pk. */
function by<T extends { readonly id: string }>(
  textOf: (row: T) => string,
  direction = 1,
): (left: T, right: T) => number {
  const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
  return (left, right) => direction * compare(textOf(left), textOf(right)) || compare(left.id, right.id);
}
