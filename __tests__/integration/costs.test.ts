import { beforeAll, describe, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import {
  Aggregate,
  Collection,
  Controller,
  createResource,
  Entity,
  Mutations,
  RestEndpoint,
  Select,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { Device, freshDatabases, Note, openPage, Server, type Page } from '../support/outbox.ts';
import { iteratedIn, stepsOf } from '../support/steps.ts';
import { until } from '../support/turns.ts';

class Issue extends Entity {
  id = '';
  title = '';
  project = '';
  priority = 0;
  static override key = 'Issue';
}

const NOTHING = (): void => undefined;

const issue = (id: string, project: string, priority = 1) => ({ id, title: 'Title', project, priority });

/** The rows of each member of the crowd. */
const crowdOf = (size: number, project: string) =>
  Array.from({ length: size }, (_, place) => issue(`${project}${place}`, project, place));

class Served extends RestEndpoint {
  override fetchResponse(url: string, { method, body }: RequestInit): Promise<Response> {
    const id = url.split('?')[0]!.split('/')[4];
    // Never answered.
    if (id?.startsWith('pending') === true) return new Promise(() => undefined);
    const sent = typeof body === 'string' ? (JSON.parse(body) as object) : {};
    const row = { ...issue(id ?? 'created', 'own'), ...sent };
    return Promise.resolve(Response.json(id === undefined && method === 'GET' ? [row] : row));
  }
}

const Issues = createResource({
  urlPrefix: 'https://example.com',
  path: '/issues/:id',
  schema: Issue,
  searchParams: { project: '' },
  optimistic: true,
  Endpoint: Served,
});

const ofProject = new Select(Issue, {
  where: ({ project }: { project: string }) => ({ project }),
  orderBy: [{ priority: 'desc' }],
  limit: 10,
});
const countOf = new Aggregate(Issue, {
  where: ({ project }: { project: string }) => ({ project }),
  values: { issues: 'count' },
});
const polled = Issues.get.extend({ pollFrequency: 1_000 });

/**
 * An app with a row, a list, a query and a count of its own; and with so many other rows, results, mounted reads and
 * queries, live queries, reads that are no longer mounted, deleted rows, polled reads and pending mutations.
 */
function crowded(size: number): Controller {
  const controller = new Controller({ schedule: () => NOTHING });
  controller.setResponse(Issues.get, { id: 'own' }, issue('own', 'own'));
  controller.setResponse(Issues.getList, { project: 'own' }, [issue('own', 'own')]);
  controller.watch(Issues.getList, { project: 'own' }, NOTHING);
  controller.watch(ofProject, { project: 'own' }, NOTHING);
  controller.watch(countOf, { project: 'own' }, NOTHING);

  controller.set([Issue], crowdOf(size, 'row'));
  controller.setResponse(Issues.getList, { project: 'list' }, crowdOf(size, 'list'));
  controller.watch(Issues.getList, { project: 'list' }, NOTHING);
  controller.watch(ofProject, { project: 'row' }, NOTHING);
  controller.watch(countOf, { project: 'row' }, NOTHING);
  for (const { id, ...fields } of crowdOf(size, 'mounted')) {
    controller.setResponse(Issues.get, { id }, { id, ...fields });
    controller.watch(Issues.get, { id }, NOTHING);
    controller.watch(Issue, { id }, NOTHING);
    controller.watch(ofProject, { project: id }, NOTHING);
    controller.subscribe(polled, { id });
  }
  for (const { id, ...fields } of crowdOf(size, 'left')) {
    controller.setResponse(Issues.get, { id }, { id, ...fields });
    controller.watch(Issues.get, { id }, NOTHING)();
    controller.setError(Issues.get, { id: `failed ${id}` }, new Error('It failed'));
    controller.setResponse(Issues.delete, { id: `gone ${id}` }, { id: `gone ${id}` });
  }
  for (const { id, ...fields } of crowdOf(size, 'pending')) {
    controller.set(Issue, { id }, { id, ...fields });
    void controller.fetch(Issues.partialUpdate, { id }, { title: 'Predicted' });
  }
  return controller;
}

let count = 0;
/** Another value at each call. */
const next = (): number => (count += 1);

const changes: readonly (readonly [what: string, run: (controller: Controller) => unknown])[] = [
  ['a set', (app) => app.set(Issue, { id: 'own' }, { title: String(next()) })],
  ['a new row', (app) => app.set(Issue, { id: `new ${next()}` }, issue(`new ${count}`, 'new'))],
  [
    'a set by a recipe',
    (app) =>
      app.set(Issue, { id: 'own' }, (draft) => {
        draft.title = String(next());
      }),
  ],
  ['a response', (app) => app.setResponse(Issues.get, { id: 'own' }, issue('own', 'own', next()))],
  ['a fetch of a row', (app) => app.fetch(Issues.get, { id: 'own' })],
  ['a fetch of a list', (app) => app.fetch(Issues.getList, { project: 'own' })],
  [
    'a mutation with a prediction',
    (app) => app.fetch(Issues.partialUpdate, { id: 'own' }, { priority: next() }),
  ],
  ['a create', (app) => app.fetch(Issues.create, { id: 'created', project: 'own', title: String(next()) })],
  ['a push', (app) => app.fetch(Issues.getList.push, { project: 'own' }, { title: String(next()) })],
  [
    'a deletion',
    (app) => {
      app.set(Issue, { id: 'brief' }, issue('brief', 'own'));
      return app.fetch(Issues.delete, { id: 'brief' });
    },
  ],
  [
    'an invalidation',
    (app) => {
      app.setResponse(Issues.get, { id: 'invalid' }, issue('invalid', 'none'));
      app.invalidate(Issues.get, { id: 'invalid' });
    },
  ],
  [
    'a read after a change',
    (app) => {
      app.set(Issue, { id: 'own' }, { title: String(next()) });
      return app.get(Issue, { id: 'own' });
    },
  ],
  ['a mount and an unmount', (app) => app.watch(Issues.get, { id: 'own' }, NOTHING)()],
  [
    'a polled mount and its unmount',
    (app) => {
      app.subscribe(polled, { id: 'own' });
      app.unsubscribe(polled, { id: 'own' });
    },
  ],
  ['a snapshot', (app) => app.snapshot().get(Issue, { id: 'own' })],
];

/** Counts the steps of an operation that has run before, so that set-up counts nothing. */
async function warmStepsOf(run: () => unknown): Promise<number> {
  const once = async (): Promise<void> => {
    await run();
    await until(() => true);
  };
  await once();
  return stepsOf(once);
}

/** A step for each member of the crowd would exceed this; another level of a table, or of a binary search, does not. */
const closeTo = (steps: number): number => 1.05 * steps + 60;

/** Counts both, and names the operation if one costs more. */
async function expectSameCost(
  what: string,
  few: () => Promise<number>,
  many: () => Promise<number>,
): Promise<void> {
  const steps = await few();
  const more = await many();
  expect({ what, isMore: more > closeTo(steps), steps, more }).toEqual({ what, isMore: false, steps, more });
}

describe('the cost of a change, with ten times as much of everything else', () => {
  let few: Controller;
  let many: Controller;
  beforeAll(() => {
    few = crowded(30);
    many = crowded(300);
  });

  it.each(changes)('%s costs the same', async (_, run) => {
    const steps = await warmStepsOf(() => run(few));
    expect(steps).toBeGreaterThan(0);
    expect(await warmStepsOf(() => run(many))).toBeLessThanOrEqual(closeTo(steps));
  });
});

/** A watched list, and so many of its first rows renamed. */
function renamedRows(count: number): Controller {
  const controller = new Controller({ schedule: () => NOTHING });
  controller.setResponse(Issues.getList, { project: 'row' }, crowdOf(200, 'row'));
  controller.watch(Issues.getList, { project: 'row' }, NOTHING);
  for (let place = 0; place < count; place += 1) rename(controller, place);
  return controller;
}

const rename = (controller: Controller, place: number): void => {
  const renamed = issue(`renamed ${place}`, 'row', place);
  controller.setResponse(Issues.partialUpdate, { id: `row${place}` }, {}, renamed);
};

describe('the cost of renaming a row of a watched list', () => {
  it('does not grow by a pass over the list for each earlier rename', async () => {
    const [few, many] = [renamedRows(2), renamedRows(20)];
    const steps = await stepsOf(async () => rename(few, 100));
    expect(few.snapshot().getResponse(Issues.getList, { project: 'row' }).data?.[100]?.id).toBe(
      'renamed 100',
    );
    expect(await stepsOf(async () => rename(many, 100))).toBeLessThan(1.5 * steps);
    expect(
      many
        .snapshot()
        .getResponse(Issues.getList, { project: 'row' })
        .data?.map(({ id }) => id),
    ).toEqual(
      crowdOf(200, 'row').map(({ id }, place) => (place < 20 || place === 100 ? `renamed ${place}` : id)),
    );
  });
});

class Comment extends Entity {
  id = '';
  text = '';
  post = '';
  isOpen = false;
  static override key = 'Comment';
}

class Post extends Entity {
  id = '';
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = {
    comments: new Collection([Comment], { nestKey: ({ id }: { id?: string }) => ({ post: id }) }),
  };
}

let created = 0;

class Answered extends RestEndpoint {
  override fetchResponse(_url: string, { body }: RequestInit): Promise<Response> {
    created += 1;
    return Promise.resolve(Response.json({ ...(JSON.parse(body as string) as object), id: `${created}` }));
  }
}

const commentsBy = (options: object) =>
  createResource({
    urlPrefix: 'https://example.com',
    path: '/comments/:id',
    schema: Comment,
    searchParams: { post: '', isOpen: true },
    optimistic: true,
    Endpoint: Answered,
    ...options,
  });
const Comments = commentsBy({});
/** Their lists of the post's open comments also contain the others. */
const Exempt = commentsBy({ nonFilterArgumentKeys: ['isOpen'], urlPrefix: 'https://exempt.example.com' });

/** An app with so many lists of comments below posts, and as many by two filter args, one of them the same in all. */
function withLists(size: number): Controller {
  const controller = new Controller({ schedule: () => NOTHING });
  for (let post = size - 1; post >= 0; post -= 1) {
    controller.set(Post, { id: `${post}` }, { comments: [] });
    controller.setResponse(Comments.getList, { isOpen: true, post: `${post}` }, []);
    controller.setResponse(Exempt.getList, { isOpen: true, post: `${post}` }, []);
  }
  return controller;
}

const listChanges: readonly (readonly [what: string, run: (controller: Controller) => unknown])[] = [
  ['a create', (app) => app.fetch(Comments.create, { post: '7', isOpen: true })],
  ['a push', (app) => app.fetch(Comments.getList.push, { post: '7', isOpen: true }, { text: 'Pushed' })],
  [
    'a push to a list that is not stored',
    (app) => app.fetch(Comments.getList.push, { post: 'none', isOpen: true }, { text: 'Pushed' }),
  ],
  [
    'a create of a collection with args that do not filter',
    (app) => app.fetch(Exempt.create, { post: '7', isOpen: false }),
  ],
];

describe('the cost of an addition to lists, with sixteen times as many other lists', () => {
  it.each(listChanges)('%s costs the same', async (_, run) => {
    const [few, many] = [withLists(32), withLists(512)];
    const steps = await warmStepsOf(() => run(few));
    expect(steps).toBeGreaterThan(0);
    expect(await warmStepsOf(() => run(many))).toBeLessThanOrEqual(closeTo(steps));
  });
});

/** A page without a network that has queued so many creates and patches, after as many were rejected. */
async function offlinePage(size: number): Promise<Page> {
  globalThis.indexedDB = new IDBFactory();
  const server = new Server();
  const device = new Device();
  const page = await openPage(server, device);
  const { controller, notes, box } = page;
  for (let id = 1; id <= 2 * size + 1; id += 1) server.notes.set(String(id), { id, text: '' });
  await controller.fetch(notes.getList);
  await controller.fetch(notes.get, { id: 1 });
  const patchAll = (first: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: size }, (_, place) =>
        controller.fetch(notes.partialUpdate, { id: first + place }, { text: 'Mine' }),
      ),
    );
  device.isOnline = false;
  await patchAll(2);
  server.weather = () => 422;
  device.isOnline = true;
  await until(() => box.status.get().failed.length === size);
  server.weather = () => 'fine';
  device.isOnline = false;
  await patchAll(size + 2);
  await Promise.all(Array.from({ length: size }, () => controller.fetch(notes.create, { text: 'New' })));
  await controller.fetch(notes.partialUpdate, { id: 1 }, { text: 'Own' });
  return page;
}

const own = ({ controller }: Page): Note => controller.get(Note, { id: 1 })!;
const ownKey = (page: Page): string => page.box.pendingFor(own(page)).get()!.key;

const queued: readonly (readonly [what: string, run: (page: Page) => unknown])[] = [
  [
    'a queued patch',
    ({ controller, notes }) => controller.fetch(notes.partialUpdate, { id: 1 }, { text: `${next()}` }),
  ],
  ['an edit', (page) => page.box.edit(ownKey(page), [{ id: 1 }, { text: `${next()}` }])],
  ['a retry', (page) => page.box.retry(ownKey(page))],
  [
    'a discarded patch',
    async (page) => {
      await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: `${next()}` });
      page.box.discard(ownKey(page));
    },
  ],
  ['whether a row is pending', (page) => page.box.isPending(own(page))],
  ['a reader of what is pending for a row', (page) => page.box.pendingFor(own(page)).subscribe(NOTHING)()],
  ['a read', ({ controller, notes }) => controller.fetch(notes.get, { id: 1 })],
  ['a set', ({ controller }) => controller.set(Note, { id: 1 }, { text: `${next()}` })],
];

describe('the cost of what is done offline, with ten times as many pending and rejected mutations', () => {
  freshDatabases();

  it('all costs the same', async () => {
    const few = await offlinePage(15);
    const many = await offlinePage(150);
    for (const [what, run] of queued) {
      const costOf = (page: Page): Promise<number> =>
        warmStepsOf(async () => {
          await run(page);
          await page.controller.flush();
        });
      await expectSameCost(
        what,
        () => costOf(few),
        () => costOf(many),
      );
    }
  });
});

/** Two tabs whose disk has so many rows, results and lists beside the own row. */
interface StoredApp {
  readonly database: IDBFactory;
  readonly controller: Controller;
  readonly other: Controller;
  readonly open: (restore: 'lazy' | 'progressive') => Controller;
}

async function storedApp(size: number): Promise<StoredApp> {
  const database = (globalThis.indexedDB = new IDBFactory());
  const open = (restore: 'lazy' | 'progressive'): Controller =>
    new Controller({ plugins: [indexedDB({ name: 'app', restore })] });
  const [controller, other] = [open('progressive'), open('progressive')];
  await Promise.all([controller.restored, other.restored]);
  controller.set([Issue], crowdOf(size, 'row'));
  for (const { id, ...fields } of crowdOf(size, 'read')) {
    controller.setResponse(Issues.get, { id }, { id, ...fields });
    controller.setResponse(Issues.getList, { project: id }, [issue(`member of ${id}`, id)]);
  }
  controller.setResponse(Issues.get, { id: 'own' }, issue('own', 'own'));
  await controller.flush();
  await other.catchUp();
  return { database, controller, other, open };
}

const stored: readonly (readonly [what: string, run: (app: StoredApp) => unknown])[] = [
  ['a set', ({ controller }) => controller.set(Issue, { id: 'own' }, { title: String(next()) })],
  [
    'a new row',
    ({ controller }) => controller.set(Issue, { id: `new ${next()}` }, issue(`new ${count}`, 'new')),
  ],
  ['a fetch of a row', ({ controller }) => controller.fetch(Issues.get, { id: 'own' })],
  ['a fetch of a list', ({ controller }) => controller.fetch(Issues.getList, { project: 'own' })],
  ['an invalidation', ({ controller }) => controller.invalidate(Issues.get, { id: 'own' })],
  [
    'catching up with a change of another tab',
    async ({ controller, other }) => {
      other.set(Issue, { id: 'own' }, { title: String(next()) });
      await other.flush();
      await controller.catchUp();
    },
  ],
  [
    'a set after a change of another tab',
    async ({ controller, other }) => {
      other.set(Issue, { id: 'own' }, { title: String(next()) });
      await other.flush();
      controller.set(Issue, { id: 'own' }, { priority: next() });
    },
  ],
  [
    'a start that reads one result',
    async ({ open }) => {
      const started = open('lazy');
      await started.fetchIfStale(Issues.get, { id: 'own' });
      await started.stop();
    },
  ],
];

describe('the cost of a change with a disk, with ten times as much of everything else on it', () => {
  freshDatabases();

  it('all costs the same', async () => {
    const few = await storedApp(30);
    const many = await storedApp(300);
    for (const [what, run] of stored) {
      const costOf = (app: StoredApp): Promise<number> => {
        globalThis.indexedDB = app.database;
        return warmStepsOf(async () => {
          await run(app);
          await app.controller.flush();
        });
      };
      await expectSameCost(
        what,
        () => costOf(few),
        () => costOf(many),
      );
    }
    await Promise.all([few, many].flatMap(({ controller, other }) => [controller.stop(), other.stop()]));
  });
});

describe('a batch of changes with records of a plugin', () => {
  /** How many members of lists are iterated while so many changes are committed at once. */
  const iteratedBy = (size: number): number => {
    const controller = new Controller();
    const mutations = new Mutations(controller);
    return iteratedIn(() => {
      controller.batch(() => {
        for (let place = 0; place < size; place += 1)
          mutations.commit({ origin: 'test', side: { test: [[String(place), place]] } });
      });
    });
  };

  it('each change costs the same in a long batch as in a short one', () => {
    expect(iteratedBy(500)).toBeLessThanOrEqual(10 * iteratedBy(50));
  });
});
