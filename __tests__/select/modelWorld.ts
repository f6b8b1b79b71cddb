import { expect } from '@jest/globals';
import fc from 'fast-check';
import {
  Controller,
  createResource,
  Endpoint,
  Invalidate,
  RestEndpoint,
  type EntityClass,
  type Plugin,
  type RestEndpointOptions,
} from 'holdfast';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import {
  AssignedTask,
  Chore,
  day,
  INVALID,
  list,
  size,
  state,
  TeamInCity,
  TeamMember,
  text,
  Work,
} from './modelTasks.ts';

/** A fault of the storage is one of the test, other than that a reset in another tab has emptied it. */
const rethrow = (error: unknown): void => {
  if (!String(error).includes('another tab has emptied it')) throw error;
};

/** Answers with the body. */
class EchoTask<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(_url: string, { body }: RequestInit): Promise<Response> {
    return Promise.resolve(Response.json(JSON.parse(body as string))); // JSON, as the endpoint writes it
  }
}

const TaskResource = createResource({
  path: '/tasks/:id',
  schema: AssignedTask,
  Endpoint: EchoTask,
  optimistic: true,
});

/** Deletes, or makes invalid, a row of each class. */
const removals = [AssignedTask, Chore, TeamMember, TeamInCity].map(
  (entity) =>
    new Endpoint((id: string) => Promise.resolve(id), {
      name: `remove ${entity.key}`,
      schema: new Invalidate(entity),
    }),
);

const getList = new Endpoint(() => Promise.resolve<object[]>([]), { name: 'getList', schema: list });

/** How the pages of a story are set up. */
export interface Setup {
  readonly tabs: number;
  /** Undefined where nothing is stored. */
  readonly restore: 'lazy' | 'progressive' | undefined;
  /** In ms; undefined for the default. */
  readonly gcTime: number | undefined;
}

/** One page: the controller of a tab, and its storage if it has one. */
export interface Page {
  readonly controller: Controller;
  readonly storage: ReturnType<typeof indexedDB> | undefined;
}

/** Names the channel of the tabs of one world. */
let worlds = 0;

function pksOf(controller: Controller): readonly string[] {
  return [...(controller.getState().tables['Task']?.entries() ?? [])].flatMap(([pk, { value }]) =>
    value === undefined ? [] : [pk],
  );
}

export const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The tabs of an app, and the mutations that its server has not answered yet. */
export class World {
  readonly pages: Page[];
  /** Called after each change. */
  onCommit: ((controller: Controller) => void) | undefined;
  /** Whether the queries are on screen. */
  isWatched = false;
  readonly #setup: Setup;
  readonly #name = `select-model-${String(worlds++)}`;
  readonly #disk = memoryStorage();
  readonly #unanswered = new Set<Promise<unknown>>();
  readonly #answers: ((error?: Error) => void)[] = [];
  /** The pks of tasks that were stored when the first tab was loaded. */
  #pks: readonly string[] = [];
  #creates = 0;

  constructor(setup: Setup) {
    this.#setup = setup;
    this.pages = Array.from({ length: setup.tabs }, () => this.#open());
  }

  /** The first tab, in which the app works. */
  get controller(): Controller {
    return this.pages[0]!.controller; // there is one at least
  }

  #open(restore = this.#setup.restore): Page {
    const name = this.#name;
    const { gcTime } = this.#setup;
    const storage =
      restore && indexedDB({ name, persist: 'all', restore, storage: this.#disk, onError: rethrow });
    const reader: Plugin = { name: 'reader', commit: () => this.onCommit?.(controller) };
    const plugins = [
      reader,
      ...(storage ? [storage] : []),
      ...(this.#setup.tabs > 1 ? [tabs({ name })] : []),
    ];
    const controller = new Controller({ plugins, ...(gcTime === undefined ? {} : { gcTime }) });
    return { controller, storage };
  }

  /** Reloads the first tab, if anything is stored. What the server has not answered is lost. */
  async reload(): Promise<void> {
    if (this.#setup.restore === undefined) return;
    this.#pks = this.#unanswered.size > 0 ? [] : pksOf(this.controller);
    this.#answers.length = 0;
    this.#unanswered.clear();
    await this.controller.stop().catch(rethrow);
    this.pages[0] = this.#open();
  }

  async reset(): Promise<void> {
    this.#pks = [];
    await this.controller.reset();
  }

  /** Waits until every restore has ended and the server has answered. */
  async settle(): Promise<void> {
    while (this.#unanswered.size > 0) await this.answer(new Error('refused'));
    while (!this.pages.every(({ storage }) => storage?.status.get().isRestored ?? true)) await turn();
  }

  /** Checks that the first tab has every task that was stored when it was loaded, unless its status says otherwise. */
  checkRows(): void {
    const { controller, storage } = this.pages[0]!; // there is one at least
    if (storage?.status.get().isRestored !== true) return;
    const missing = this.#pks.filter((pk) => controller.getState().tables['Task']?.get(pk) === undefined);
    expect(missing).toEqual([]);
  }

  /** Checks that a page with queries has restored every task. */
  async checkComplete(): Promise<void> {
    const [page] = this.pages;
    if (page?.storage === undefined) return;
    await page.controller.flush().catch(rethrow);
    const fresh = this.#open('progressive');
    await fresh.storage?.restored;
    expect(pksOf(page.controller).toSorted()).toEqual(pksOf(fresh.controller).toSorted());
    await fresh.controller.stop();
  }

  async stop(): Promise<void> {
    this.onCommit = undefined;
    for (const { controller } of this.pages) await controller.stop().catch(rethrow);
  }

  /** Shows a row optimistically; the server stores it under its id or a new one, or refuses. */
  mutate(schema: EntityClass, value: object): void {
    const change = new Endpoint(
      (sent: object) =>
        new Promise<object>((resolve, reject) => {
          const id = `new${String(this.#creates++)}`;
          this.#answers.push((error) => (error === undefined ? resolve({ id, ...sent }) : reject(error)));
        }),
      {
        name: `change ${schema.key}`,
        sideEffect: true,
        schema,
        getOptimisticResponse: (_snapshot: unknown, sent: object) => sent,
      },
    );
    const response = this.controller.fetch(change, value);
    this.#unanswered.add(response);
    const remove = (): void => void this.#unanswered.delete(response);
    response.then(remove, remove);
  }

  async answer(error?: Error): Promise<void> {
    this.#answers.shift()?.(error);
    await turn();
  }
}

const taskId = fc.constantFrom('1', '2', '10', 'x');
const personId = fc.constantFrom('p1', 'p2');
const teamId = fc.constantFrom('t1', 't2');

const fields = fc.record(
  {
    state,
    size,
    title: fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.constant(INVALID) }),
    due: day.map((date) => date.toISOString()),
    tags: fc.array(text, { maxLength: 2 }),
    place: fc.option(fc.record({ room: text }), { nil: null }),
    steps: fc.array(fc.record({ text }), { maxLength: 2 }),
    owner: fc.option(personId, { nil: null }),
    helpers: fc.array(personId, { maxLength: 2 }),
    visit: fc.option(fc.record({ team: teamId, text }), { nil: null }),
    parent: fc.option(fc.record({ id: taskId, kind: fc.constantFrom('task', 'chore') }), { nil: null }),
    home: teamId,
  },
  { requiredKeys: [] },
);

const item = fc
  .tuple(taskId, fields, fc.constantFrom('task', 'task', 'chore'))
  .map(([id, value, kind]) => ({ id, kind, ...value }));

/** Lets a failure print what a step does. */
function does<T extends object>(step: T, ...what: readonly unknown[]): T {
  return Object.assign(step, { [fc.toStringMethod]: () => what.map((one) => fc.stringify(one)).join(' ') });
}

/** A write by the app in one tab. */
type Write = (page: { readonly controller: Controller }) => unknown;

const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(AssignedTask, AssignedTask, AssignedTask, Chore), taskId, fields)
      .map(([entity, id, value]): Write =>
        does(
          ({ controller }) => controller.set(entity, { id }, value as object),
          'set',
          entity.key,
          id,
          value,
        ),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(item, { maxLength: 4 })
      .map((rows): Write => does(({ controller }) => controller.set([Work], rows as never), 'set all', rows)),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(item, { maxLength: 4 })
      .map((rows): Write =>
        does(({ controller }) => controller.setResponse(getList, rows as never), 'list', rows),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ id: personId, name: text, team: teamId })
      .map((person): Write =>
        does(({ controller }) => controller.set(TeamMember, person, person as never), 'set', person),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ id: teamId, city: text })
      .map((team): Write => does(({ controller }) => controller.set(TeamInCity, team, team), 'set', team)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...removals), fc.oneof(taskId, taskId, personId, teamId))
      .map(([removal, id]): Write =>
        does(({ controller }) => controller.setResponse(removal, id, id), removal.name, id),
      ),
  },
  fc.constant<Write>(does(({ controller }) => controller.invalidate(getList), 'invalidate list')),
);

/** What happens in a story. */
export type Step = (world: World) => unknown;

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: write },
  {
    weight: 2,
    // The other tab, if there is one.
    arbitrary: write.map((one): Step => does(({ pages }) => one(pages.at(-1)!), 'in the last tab:', one)),
  },
  fc.array(write, { maxLength: 4 }).map((writes): Step =>
    does(
      (world) =>
        world.controller.batch(() => {
          for (const one of writes) one(world);
        }),
      'batch',
      writes,
    ),
  ),
  {
    weight: 3,
    arbitrary: fc.tuple(item, fc.boolean()).map(([{ id, ...value }, isNew]): Step => {
      const sent = isNew ? value : { id, ...value };
      return does(
        (world) => world.mutate(value.kind === 'task' ? AssignedTask : Chore, sent),
        'mutate',
        sent,
      );
    }),
  },
  // The pk of a person on whom tasks depend is temporary, and then becomes the server's.
  fc.tuple(taskId, fc.record({ name: text, team: teamId })).map(([id, person]): Step =>
    does(
      (world) => {
        const { controller } = world;
        world.mutate(TeamMember, person);
        const [pk] = [...(controller.getState().tables['Person']?.entries() ?? [])].at(-1) ?? [];
        if (pk !== undefined) controller.set(AssignedTask, { id }, { owner: pk, helpers: [pk, 'p1'] });
      },
      'create',
      person,
      'as the owner of',
      id,
    ),
  ),
  fc
    .record({ id: personId, name: text })
    .map((person): Step => does((world) => world.mutate(TeamMember, person), 'mutate person', person)),
  fc
    .tuple(taskId, taskId, fields)
    .map(([from, to, value]): Step =>
      does(
        ({ controller }) => controller.fetch(TaskResource.update, { id: from }, { id: to, ...value }),
        'rename',
        from,
        to,
        value,
      ),
    ),
  { weight: 2, arbitrary: fc.constant<Step>(does((world) => world.answer(), 'answer')) },
  fc.constant<Step>(does((world) => world.answer(new Error('refused')), 'refuse')),
  fc.constant<Step>(does((world) => world.reload(), 'reload')),
  fc.constant<Step>(does((world) => world.reset(), 'reset')),
  // A restore continues, or what is read no more is collected.
  fc.constantFrom(0, 3).map((ms): Step => does(() => turn(ms), 'wait', ms)),
  fc.constant<Step>(
    does((world) => {
      world.isWatched = !world.isWatched;
    }, 'watch or unwatch'),
  ),
);

/** What an earlier visit has stored, and how it is restored. */
export interface Stored {
  readonly writes: readonly Write[];
  readonly restore: 'lazy' | 'progressive';
}

export const stored: fc.Arbitrary<Stored> = fc.record({
  writes: fc.array(write, { minLength: 1, maxLength: 8 }),
  restore: fc.constantFrom('lazy', 'progressive'),
});

/** Opens the tabs, of which the first one was open before if anything is stored. */
export async function opened(setup: Omit<Setup, 'restore'>, stored: Stored | undefined): Promise<World> {
  const world = new World({ ...setup, restore: stored?.restore });
  for (const one of stored?.writes ?? []) await one(world);
  if (stored !== undefined) {
    await world.controller.flush();
    await world.reload();
  }
  return world;
}
