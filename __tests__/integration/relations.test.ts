import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Controller, Endpoint, Entity, type Commit, type Plugin, type Restored } from 'holdfast';
import { runs } from '../support/runs.ts';

/** How many stories are tried; more of them look longer. */
const RUNS = runs(300);

class UserWithVersion extends Entity {
  id = '';
  name = 0;
  static override key = 'User';
}
class TagWithVersion extends Entity {
  id = '';
  label = 0;
  static override key = 'Tag';
}
class SummaryWithVersion extends Entity {
  id = '';
  title = 0;
  static override key = 'Article';
}
class ArticleWithLists extends SummaryWithVersion {
  author = UserWithVersion.fromJS();
  reviewer: UserWithVersion | null = null;
  tags: readonly TagWithVersion[] = [];
  static override schema = { author: UserWithVersion, reviewer: UserWithVersion, tags: [TagWithVersion] };
}

const respond = async (value: unknown): Promise<unknown> => value;
const getList = new Endpoint(respond, { name: 'getList', key: () => 'list', schema: [SummaryWithVersion] });
const getArticle = new Endpoint(respond, {
  name: 'getArticle',
  key: () => 'detail',
  schema: ArticleWithLists,
});
const getUser = new Endpoint(respond, { name: 'getUser', key: () => 'user', schema: UserWithVersion });

const tab = fc.constantFrom(0 as const, 1 as const);
const article = fc.constantFrom('1', '2');
const user = fc.constantFrom('u', 'v');
/** How a response has a relation: the data inline, a pk, something that names nothing, or not at all. */
const form = fc.constantFrom('inline', 'inline', 'pk', 'nameless', 'absent');
const members = fc.record({
  author: form,
  reviewer: fc.oneof(form, fc.constant('null')),
  tags: form,
  users: fc.tuple(user, user),
  tagged: fc.uniqueArray(fc.constantFrom('r', 'g', 'b')),
});
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('list' as const), tab, pk: article, members }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('detail' as const), tab, pk: article, members }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('setTitle' as const), tab, pk: article }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('setAuthor' as const), tab, pk: article, user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('user' as const), tab, user, isSet: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('read' as const), tab, pk: article }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('save' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restore' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reload' as const), tab }) },
); // oxfmt-ignore
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
type Members = typeof members extends fc.Arbitrary<infer M> ? M : never;

/** What is known of an article, relations as pks. */
interface Known {
  title: number;
  author?: string;
  reviewer?: string | null;
  tags?: readonly string[];
}

class World {
  readonly isAlone: boolean;
  readonly tabs: [Controller, Controller];
  readonly articles = new Map<string, Known>();
  readonly users = new Map<string, number>();
  readonly tags = new Map<string, number>();
  #saved: Restored = { rows: [], results: [] };
  #last = 0;
  #now = 1_000;
  /** Whether a tab has met the detail class, by which relations are known. */
  readonly #knows = [false, false];
  /** Whether a user may have changed since a summary embedded it. */
  #hasChanged = false;

  /** @param isAlone - whether there is one tab only: others do not learn when what a row embeds came */
  constructor(isAlone: boolean) {
    this.isAlone = isAlone;
    if (isAlone) this.#knows[1] = true;
    this.tabs = [this.#open(0), this.#open(1)];
  }

  async run(step: Command): Promise<void> {
    this.#now += 5;
    const controller = this.tabs[step.tab];
    if (step.type === 'list')
      await controller.fetch(getList, [this.#response(step.tab, step.pk, step.members, true)]);
    else if (step.type === 'detail') {
      this.#knows[step.tab] = this.#hasChanged = true;
      await controller.fetch(getArticle, this.#response(step.tab, step.pk, step.members, false));
    } else if (step.type === 'setTitle') {
      if (this.#mayBeTold(step.tab, step.pk)) return;
      const title = this.#next();
      controller.set(SummaryWithVersion, { id: step.pk }, { title });
      this.#article(step.pk).title = title;
    } else if (step.type === 'setAuthor') {
      this.#knows[step.tab] = this.#hasChanged = true;
      controller.set(
        ArticleWithLists,
        { id: step.pk },
        { author: { id: step.user, name: this.#name(step.user) } },
      );
      this.#article(step.pk).author = step.user;
    } else if (step.type === 'user') {
      const value = { id: step.user, name: this.#name(step.user) };
      this.#hasChanged = true;
      if (step.isSet) controller.set(UserWithVersion, { id: step.user }, value);
      else await controller.fetch(getUser, value);
    } else if (step.type === 'read') {
      this.check(step.tab, step.pk);
    } else if (step.type === 'save') {
      this.#saved = rowsOf(controller);
    } else if (step.type === 'restore') {
      controller.apply(structuredClone(this.#saved), { origin: 'disk', type: 'restore' });
    } else if (!this.#hasChanged || !['1', '2'].some((pk) => embeds(controller, pk))) {
      // After a reload, what a row embeds is as old as the row, if it was never read as an entity.
      const rows = structuredClone(rowsOf(controller));
      void controller.stop();
      this.tabs[step.tab] = this.#open(step.tab);
      this.#knows[step.tab] = false;
      this.tabs[step.tab].apply(rows, { origin: 'disk', type: 'restore', isTransferred: true });
    }
  }

  /** Whether what reads an article by its detail class is what the newest data say. */
  check(at: 0 | 1, pk: string): void {
    const controller = this.tabs[at];
    const known = this.articles.get(pk);
    const read = controller.get(ArticleWithLists, { id: pk });
    this.#knows[at] = true;
    if (known === undefined) {
      expect(read).toBeUndefined();
      return;
    }
    expect(read?.title).toBe(known.title);
    expect(read?.author.id).toBe(known.author ?? '');
    for (const person of [read?.author, read?.reviewer]) {
      if (!person?.id) continue;
      expect(person).toBe(controller.get(UserWithVersion, { id: person.id }));
      expect(person).toBeInstanceOf(UserWithVersion);
      expect(person.name).toBe(this.users.get(person.id) ?? 0);
    }
    expect(read?.reviewer === null ? null : read?.reviewer?.id).toBe(
      known.reviewer === undefined ? null : known.reviewer,
    );
    expect(read?.tags.map(({ id }) => id)).toEqual(known.tags ?? []);
    for (const each of read?.tags ?? []) {
      expect(each).toBe(controller.get(TagWithVersion, { id: each.id }));
      expect(each.label).toBe(this.tags.get(each.id));
    }
    expect(controller.get(ArticleWithLists, { id: pk })).toBe(read);
  }

  #open(at: 0 | 1): Controller {
    const tell: Plugin = {
      name: `tab ${at}`,
      commit: (commit) => {
        if (this.isAlone || commit.origin.startsWith('tab') || commit.origin === 'disk') return;
        this.tabs[(1 - at) as 0 | 1].apply(structuredClone(changedRows(commit)), { origin: `tab ${1 - at}` });
      },
    };
    return new Controller({ now: () => this.#now, plugins: [tell], gcTime: Infinity });
  }

  #areStored(entity: typeof UserWithVersion | typeof TagWithVersion, pks: readonly string[]): boolean {
    return this.tabs
      .slice(0, this.isAlone ? 1 : 2)
      .every((controller) => pks.every((id) => controller.get(entity, { id }) !== undefined));
  }

  #next(): number {
    return (this.#last += 1);
  }

  /** A new name; an old one where it would be embedded in a row alone, and lost with that. */
  #name(pk: string, isEmbedded = false): number {
    const former = this.users.get(pk);
    if (isEmbedded && former !== undefined && this.#knows.includes(false)) return former;
    this.#hasChanged ||= former !== undefined;
    const name = this.#next();
    this.users.set(pk, name);
    return name;
  }

  #article(pk: string): Known {
    let known = this.articles.get(pk);
    if (known === undefined) this.articles.set(pk, (known = { title: 0 }));
    return known;
  }

  /** Whether another tab would take what a row embeds for as new as the row. */
  #mayBeTold(at: 0 | 1, pk: string): boolean {
    return (
      !this.isAlone &&
      !this.#knows[at] &&
      this.#hasChanged &&
      this.tabs.some((controller) => embeds(controller, pk))
    );
  }

  /** A response, and what is known by it. */
  #response(at: 0 | 1, pk: string, asked: Members, isSummary: boolean): object {
    const { users, tagged } = asked;
    const { author, reviewer, tags } = this.#mayBeTold(at, pk)
      ? ({ author: 'inline', reviewer: 'inline', tags: 'inline' } as const)
      : asked;
    const known = this.#article(pk);
    const response: Record<string, unknown> = { id: pk, title: (known.title = this.#next()) };
    const relate = (field: 'author' | 'reviewer', asked: string, id: string): void => {
      // What names nothing is kept where it stands alone, or is not known to be no relation.
      const as = asked === 'nameless' && (!known[field] || this.#knows.includes(false)) ? 'inline' : asked;
      if (as === 'null') response[field] = known[field as 'reviewer'] = null;
      if (as === 'pk' && this.#areStored(UserWithVersion, [id])) response[field] = known[field] = id;
      if (as === 'nameless' && isSummary) response[field] = { name: this.#next() };
      if (as === 'inline') {
        response[field] = { id, name: this.#name(id, isSummary) };
        known[field] = id;
      }
    };
    relate('author', author, users[0]);
    relate('reviewer', reviewer, users[1]);
    const data = (id: string): object => {
      const former = this.tags.get(id);
      const isKept = former !== undefined && isSummary && this.#knows.includes(false);
      this.#hasChanged ||= former !== undefined && !isKept;
      const label = isKept ? former : this.#next();
      this.tags.set(id, label);
      return { id, label };
    };
    if (tags === 'inline') response['tags'] = (known.tags = tagged).map(data);
    if (tags === 'pk' && this.#areStored(TagWithVersion, tagged)) response['tags'] = known.tags = tagged;
    if (tags === 'nameless' && isSummary && known.tags && !this.#knows.includes(false))
      response['tags'] = tagged.length;
    return response;
  }
}

/** Whether the row of an article holds data where a relation is to be. */
function embeds(controller: Controller, pk: string): boolean {
  const row = controller.getState().tables['Article']?.get(pk)?.value;
  return [row?.['author'], row?.['reviewer'], row?.['tags']]
    .flat()
    .some((value) => typeof value === 'object' && value !== null);
}

function rowsOf(controller: Controller): Restored {
  const rows = Object.entries(controller.getState().tables).flatMap(([table, stored]) =>
    [...stored.entries()].map(([pk, row]) => [table, pk, row] as const),
  );
  return { rows, results: [] };
}

function changedRows({ base, baseChanges }: Commit): Restored {
  const rows: Restored['rows'][number][] = [];
  for (const [table, changed] of baseChanges.rows)
    for (const [pk, before] of changed) {
      const row = base.tables[table]?.get(pk);
      if (row !== undefined)
        rows.push(before === undefined ? [table, pk, row] : [table, pk, row, before.meta]);
    }
  return { rows, results: [] };
}

it('a detail is read with the newest data of any class, in every order, tab and session', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 20 }), fc.boolean(), async (steps, isAlone) => {
      const world = new World(isAlone);
      for (const step of steps) await world.run(isAlone ? { ...step, tab: 0 } : step);
      for (const at of isAlone ? ([0] as const) : ([0, 1] as const))
        for (const pk of ['1', '2']) world.check(at, pk);
    }),
    { numRuns: RUNS },
  );
});
