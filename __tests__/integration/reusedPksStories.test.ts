import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Controller, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { freshIndexedDB } from '../support/indexedDB.ts';
import { Device } from '../support/outbox.ts';
import { runs } from '../support/runs.ts';
import { Network } from '../tabs/network.ts';
import { SluggedArticle, CommentOnArticle, endpointsOf, SlugServer, type Endpoints } from './SlugServer.ts';

freshIndexedDB();

const RUNS = runs(12);

/** So few that the server gives each slug to one article after another. */
const TITLES = ['A', 'B', 'C'];

interface Step {
  readonly do: 'rename' | 'create' | 'list' | 'get' | 'note' | 'edit' | 'reload' | 'sleep' | 'wake' | 'flush';
  readonly tab: number;
  readonly nth: number;
  readonly title: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    'rename',
    'rename',
    'create',
    'list',
    'get',
    'note',
    'edit',
    'reload',
    'sleep',
    'wake',
    'flush',
  ),
  tab: fc.nat(1),
  nth: fc.nat(3),
  title: fc.constantFrom(...TITLES),
});

interface Tab extends Endpoints {
  readonly controller: Controller;
}

let worlds = 0;

/** A server and two tabs, the second of which may sleep. An article is known by its body, which never changes. */
class World {
  readonly #server = new SlugServer();
  readonly #network = new Network();
  readonly #device = new Device();
  readonly #name = `app${(worlds += 1)}`;
  readonly #tabs: Tab[] = [];
  readonly #errors: HoldfastError[] = [];
  /** The body that each note is about. */
  readonly #notes: string[] = [];
  #isAsleep = false;
  #hasSlept = false;
  #hasList = false;
  #bodies = 0;

  async run(steps: readonly Step[]): Promise<void> {
    this.#network.install();
    this.#server.add('A', { body: 'body 0' });
    this.#server.add('X', { body: 'body 1' });
    this.#bodies = 2;
    try {
      this.#tabs.push(await this.#open(), await this.#open());
      for (const next of steps) {
        this.#device.now += 10;
        await this.#take(next);
        for (const tab of this.#awake) this.#check(tab, next.do);
      }
      await this.#wake();
      for (const tab of this.#tabs) this.#check(tab, 'the end');
      for (const tab of this.#tabs) await tab.controller.stop();
      this.#server.isDown = true;
      const last = await this.#open();
      this.#tabs.push(last);
      if (this.#hasList) await last.controller.fetchIfStale(last.articles.getList);
      for (const id of this.#notes.keys())
        await last.controller.fetchIfStale(last.comments.getList, { slug: `board-${id}` });
      this.#check(last, 'a reload');
      expect(this.#errors).toEqual([]);
    } finally {
      for (const { controller } of this.#tabs) await controller.stop();
      this.#network.restore();
    }
  }

  get #awake(): readonly Tab[] {
    return this.#isAsleep ? this.#tabs.slice(0, 1) : this.#tabs;
  }

  async #open(): Promise<Tab> {
    const onError = (error: HoldfastError): void => void this.#errors.push(error);
    const endpoints = endpointsOf(this.#server);
    const controller = new Controller({
      now: () => this.#device.now,
      environment: this.#device,
      schedule: this.#device.schedule,
      plugins: [indexedDB({ name: this.#name, onError }), tabs({ name: this.#name, onError })],
    });
    await controller.restored;
    return { ...endpoints, controller };
  }

  async #take({ do: what, tab: place, nth, title }: Step): Promise<void> {
    const tab = this.#awake[place] ?? this.#tabs[0]!;
    const { controller, articles, comments } = tab;
    const all = [...this.#server.articles.values()];
    const { slug, body } = all[nth % all.length]!;
    if (what === 'rename') await controller.fetch(articles.partialUpdate, { slug }, { title });
    if (what === 'create') {
      await controller.fetch(articles.create, { title, body: `body ${this.#bodies}` });
      this.#bodies += 1;
    }
    if (what === 'list') {
      await controller.fetch(articles.getList);
      this.#hasList = true;
    }
    if (what === 'get') await controller.fetch(articles.get, { slug });
    if (what === 'note') {
      const id = this.#notes.push(body!) - 1;
      const note = { id, text: 'new', article: { slug, title, body } };
      controller.setResponse(comments.getList, { slug: `board-${id}` }, [note] as never);
    }
    if (what === 'edit' && this.#notes.length > 0) {
      const id = nth % this.#notes.length;
      if (controller.get(CommentOnArticle, { id }) !== undefined)
        controller.set(CommentOnArticle, { id }, { text: 'edited' });
    }
    if (what === 'sleep') {
      await this.#network.deliver();
      this.#isAsleep = true;
    }
    if (what === 'flush') await controller.flush();
    if (what === 'wake') await this.#wake();
    if (what === 'reload') {
      await controller.stop();
      const at = this.#tabs.indexOf(tab);
      this.#tabs[at] = await this.#open();
    }
    if (!this.#isAsleep) await this.#network.deliver();
    // A tab that has missed messages reads from disk what was written since.
    if (!this.#isAsleep && this.#hasSlept) await this.#catchUp();
  }

  async #wake(): Promise<void> {
    if (this.#isAsleep) await this.#network.lose();
    this.#hasSlept ||= this.#isAsleep;
    this.#isAsleep = false;
    await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    for (const { controller } of this.#tabs) await controller.flush();
    for (const { controller } of this.#tabs) await controller.catchUp();
    await this.#network.deliver();
  }

  /** Each article that a tab shows is the one that the server has by this slug, and no list lacks one of them. */
  #check({ controller, articles }: Tab, after: string): void {
    const listed = controller.getResponse(articles.getList).data;
    const shown = (listed ?? []).map(({ slug, body }) => `${slug}: ${body}`).sort();
    const known = [...this.#server.articles.values()].map(({ slug, body }) => `${slug}: ${body}`);
    if (listed !== undefined) expect([after, shown]).toEqual([after, known.sort()]);
    for (const { slug, body } of this.#server.articles.values()) {
      const article = controller.get(SluggedArticle, { slug });
      if (article !== undefined) expect([after, article.body]).toEqual([after, body]);
    }
    for (const [id, about] of this.#notes.entries()) {
      const note = controller.get(CommentOnArticle, { id });
      if (note !== undefined) expect([after, id, note.article?.body]).toEqual([after, id, about]);
    }
  }
}

describe('pks that the server gives to one entity after another', () => {
  it('reused pks refer to the same entities in both tabs, in a tab that missed the changes and after a reload', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await new World().run(steps);
      }),
      { numRuns: RUNS },
    );
  }, 300_000);
});
