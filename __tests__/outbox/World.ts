import { expect } from '@jest/globals';
import type { Unsent } from 'holdfast';
import { clearSiteData, closeConnections, holdOpening, loseRecord, tasks } from '../support/diskFaults.ts';
import { DeviceLocks, MortalPage, type Life, type Setting } from './MortalPage.ts';
import { PageStorage } from '../support/PageStorage.ts';
import { Device, Server, type Note, type Page, type Weather } from '../support/outbox.ts';

/** What happens to two tabs of one app, and to a worker that wakes now and then, as for a background sync. */
export type Event =
  | { readonly kind: 'create' | 'edit' | 'remove'; readonly tab: 0 | 1; readonly which: number }
  | { readonly kind: 'offline' | 'online' }
  | { readonly kind: 'reload'; readonly tab: 0 | 1 }
  /** The tab sends everything now, as a button does; the test does not wait for it. */
  | { readonly kind: 'drain'; readonly tab: 0 | 1 }
  /** It is killed after so many steps, the page that takes its place after so many more, and so on. */
  | { readonly kind: 'kill'; readonly tab: 0 | 1; readonly steps: readonly number[] }
  | { readonly kind: 'weather'; readonly weather: readonly Weather[] }
  | { readonly kind: 'pass'; readonly time: number }
  /** It sends what it can, unless it is killed after so many steps. */
  | { readonly kind: 'worker'; readonly steps: number; readonly isHeard: boolean }
  /** The token of this device expires, the user signs in again, the token can no longer be renewed, or a log-out deletes it. */
  | { readonly kind: 'expire' | 'signIn' | 'initFails' }
  | LogOut
  | { readonly kind: 'settle' }
  | DiskFault
  /** A page is opened while the database is slow to open. */
  | { readonly kind: 'slowReload'; readonly tab: 0 | 1 };

/** The user logs out in a tab. */
export interface LogOut {
  readonly kind: 'logout';
  readonly tab: 0 | 1;
  /** Default: `'keep'`. */
  readonly unsent?: Unsent;
  /** Whether the page is left without waiting, as by an app that navigates to its login page. Default: false. */
  readonly isHasty?: boolean;
}

/** What the browser does to the databases, so many tasks later. */
export interface DiskFault {
  readonly kind: 'close' | 'clearSiteData' | 'loseRecord';
  readonly after: number;
  /** Whether transactions that were told to commit are on disk, and whether the others never settle. */
  readonly isWritten: boolean;
  readonly isSilent: boolean;
  /** Which record is lost. */
  readonly nth: number;
}

/** How long a slow database takes to open, in ms of the device. */
const SLOW = 3_000;

/** The databases, with the stores whose records may be lost. */
const DATABASES = {
  app: ['outbox', 'log', 'shards', 'results'],
  'holdfast-outbox': ['entries', 'lease'],
} as const;

/** A wait of this many ms of real time, beside thousands of turns, never ends. */
const STUCK = 30_000;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Something that was asked for. */
interface Asked {
  readonly what: string;
  /** Whether its caller was notified: until then, it may be lost with a killed page. */
  isTold: boolean;
  /** The first text of the note that it is about. */
  readonly of: string;
  /** The tab that it was asked of. */
  readonly by: MortalPage;
  /** The id of the note as it was asked for; undefined for a new one. */
  readonly id: unknown;
  /** Whether the browser had deleted or lost what was on disk when only memory had it and was lost, or the other way round. */
  mayBeLost: boolean;
  /**
   * Whether the browser lost a record while it was pending, or all of them before some page had read it. A page that has
   * not read that record sends what comes after it, until one that holds it writes it again.
   */
  mayBeLate: boolean;
  /** Whether a log-out has discarded it before it was sent. */
  isDiscarded: boolean;
}

/** A list of the same entity at another path, to which nothing that is created belongs. */
function archiveOf({ getList }: Page['notes']) {
  return getList.extend({ path: '/archive', fetch: () => Promise.resolve([]) });
}

/** A server, a device and two tabs on it. */
export class World {
  /** How many pages have been killed. */
  deaths = 0;
  readonly #server = new Server();
  readonly #device = new Device();
  readonly #tabs: MortalPage[] = [];
  readonly #asked: Asked[] = [];
  readonly #setting: Setting;
  readonly #locks = new DeviceLocks();
  /** How long the next page in each place lives. */
  readonly #lives: [number[], number[]] = [[], []];
  /** By the text that an edit has given to a note, the one that it was made with. */
  readonly #firstTexts = new Map<string, string>();
  /** What the server would not do. */
  readonly #refused = new Set<string>();
  #count = 0;
  /** The first texts of the notes whose creation was endangered while it was pending: see `#endangered`. */
  readonly #makersEndangered = new Set<string>();
  /** How many dead letters there were. */
  #deadLetters = 0;
  /** The pages whose databases are yet to open. */
  readonly #opening = new Set<MortalPage>();
  /** The pages that wait for their databases for a moment only, also where a connection was closed. */
  readonly #impatient = new Set<MortalPage>();
  /** What the browser is about to do to the databases. */
  readonly #faults = new Set<Promise<void>>();
  /** What was asked for before the browser deleted or lost something that may not have been written again yet. */
  #endangered: readonly Asked[] = [];
  /** What was asked for before a log-out, which leaves it on disk alone. */
  #onDiskAlone: readonly Asked[] = [];
  /** Whether records with rows were lost, which no page may have noticed. */
  #hasLostRows = false;
  /** How often the record was lost that every write reads, to find resets. */
  #resetLosses = 0;
  /** Whether a mutation failed that could not be stored: the server may have carried it out. */
  #hasFailed = false;
  /** What the pages have fetched again after resets. */
  readonly #refetches: { readonly page: Page; readonly fetched: Promise<unknown> }[] = [];
  /** The pages that have been opened. */
  readonly #pages: Page[] = [];
  /** The token that the server accepts, and the one that the device has; undefined where it cannot be renewed. */
  #valid = 0;
  #token: number | undefined = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    Object.assign(globalThis, { document: {}, localStorage: new PageStorage() });
    this.#server.keepsPks = true;
    this.#weather([]);
  }

  async open(place: 0 | 1, life: Life = {}): Promise<void> {
    const steps = this.#lives[place].shift();
    const onReset = (page: Page): void => this.#refetch(page);
    const tab = this.#page({ onReset, ...life, ...(steps !== undefined && { steps }) });
    this.#tabs[place] = tab;
    if (life.openWithin !== undefined) this.#impatient.add(tab);
    await this.#until(tab, tab.started);
    const { controller, notes } = tab.page;
    await this.#until(tab, controller.fetch(notes.getList));
    await this.#until(tab, Promise.resolve(controller.fetchIfStale(archiveOf(notes))));
  }

  /** What is on screen is fetched again, as by mounted hooks. */
  #refetch(page: Page): void {
    const { controller, notes } = page;
    for (const list of [notes.getList, archiveOf(notes)]) {
      const fetched = Promise.resolve(controller.fetchIfStale(list));
      fetched.catch(() => undefined);
      this.#refetches.push({ page, fetched });
    }
  }

  #page(life: Life): MortalPage {
    const init = (): RequestInit => {
      if (this.#token === undefined) throw new Error('The token cannot be renewed');
      return { headers: { Authorization: String(this.#token) } };
    };
    const page = new MortalPage(this.#server, this.#device, this.#locks, this.#setting, { init, ...life });
    this.#pages.push(page.page);
    return page;
  }

  /** It has read nothing, and what it does not tell the tabs, or cannot, they find on disk. */
  async #wakeWorker(life: Life): Promise<void> {
    const worker = this.#page(life);
    await this.#until(worker, worker.started);
    const isTold = await this.#until(worker, worker.page.box.drain());
    if (worker.isDead) this.deaths += 1;
    await this.#leave(worker);
    const isHeard = isTold && life.isHeard !== false;
    // Where there is no disk of all, only the server can say what has come of it.
    for (const tab of this.#tabs)
      if (!isHeard) {
        const { controller, notes, box } = tab.page;
        await this.#until(tab, this.#setting.withStorage ? box.drain() : controller.fetch(notes.getList));
      }
  }

  async happens(event: Event): Promise<void> {
    await this.#happens(event);
    await this.#revive();
    this.#checkDiscarded();
  }

  /** Everything is fine from now on, until nothing is pending in any tab. */
  async ends(): Promise<void> {
    await Promise.all(this.#faults);
    await this.#passUntil(() => this.#opening.size === 0);
    // What was waited for is read before anything else is asked of it.
    for (let turns = 0; turns < 50; turns++) await turn();
    this.#weather([]);
    this.#lives.forEach((lives) => lives.splice(0));
    for (const tab of this.#tabs) tab.dieAfter(Infinity);
    await this.#revive();
    this.#token = this.#valid += 1;
    this.#device.isOnline = false;
    this.#device.isOnline = true;
    // Mutations that depend on a dead letter wait until it is gone.
    await this.#passUntil(() => {
      for (const { page } of this.#tabs)
        for (const { key } of page.box.status.get().failed) {
          if (page.box.discard(key)) this.#deadLetters += 1;
        }
      return this.#tabs.every(({ page }) => {
        const { entries, state } = page.box.status.get();
        return entries.length === 0 && state === 'working';
      });
    });
    // What could not be stored, and failed since its answer was lost, is shown once the list is fetched again.
    if (this.#hasFailed)
      for (const tab of this.#tabs) await this.#until(tab, tab.page.controller.fetch(tab.page.notes.getList));
    // A tab may notice a log-out twice, by its message and on disk.
    for (const tab of this.#tabs) await this.#until(tab, tab.page.controller.catchUp());
    for (let turns = 0; turns < 50; turns++) await turn();
    for (const tab of this.#tabs)
      for (const { page, fetched } of this.#refetches) if (page === tab.page) await this.#until(tab, fetched);
    for (let turns = 0; turns < 50; turns++) await turn();
  }

  /**
   * Every mutation whose caller was notified was executed, in order. Any other may have been, since another tab may have
   * received it before its own tab was killed. None was executed twice. What the server has refused was not, nor what is about a note
   * that it would not make. And both tabs show what the server has.
   */
  check(): void {
    const { done, notes } = this.#server;
    this.#checkDiscarded();
    const isRefused = (what: string): boolean => this.#refused.has(what) && !done.includes(what);
    const lost = this.#asked.filter(({ mayBeLost }) => mayBeLost);
    const isLost = (what: string): boolean =>
      lost.some((asked) => asked.what === what && !done.includes(what));
    // A tab that does not know the creation, whose record is lost, asks for the change of what the server does not have.
    const orphans = this.#asked
      .filter(
        ({ what, of }) => this.#makersEndangered.has(of) && what !== `create ${of}` && !done.includes(what),
      )
      .slice(0, this.#deadLetters)
      .map(({ what }) => what);
    // A tab that was killed before it stored a creation leaves nothing for another one to delete.
    const wasNeverMade = (what: string, of: string): boolean =>
      what.startsWith('delete ') &&
      !done.includes(`create ${of}`) &&
      this.#asked.some(({ what, isTold }) => what === `create ${of}` && !isTold);
    const told = this.#asked
      .filter(
        ({ isTold, what, of, mayBeLost }) =>
          isTold &&
          !mayBeLost &&
          !isRefused(what) &&
          !isRefused(`create ${of}`) &&
          !isLost(`create ${of}`) &&
          !wasNeverMade(what, of) &&
          !orphans.includes(what),
      ) // oxfmt-ignore
      .map(({ what }) => this.#named(what));
    const asked = new Set(this.#asked.map(({ what }) => this.#named(what)));
    const known = done
      .map((what) => this.#named(what))
      .filter((what) => told.includes(what) || !asked.has(what));
    const late = this.#asked.filter(({ mayBeLate }) => mayBeLate).map(({ what }) => this.#named(what));
    const isInOrder = (what: string): boolean => !late.includes(what);
    expect(known.filter(isInOrder)).toEqual(told.filter(isInOrder));
    expect([...known].sort()).toEqual([...told].sort());
    expect(new Set(done).size).toBe(done.length);
    const stored = [...notes.values()].map(({ text }) => text).sort();
    for (const { page } of this.#tabs) {
      expect([...(page.texts() ?? [])].sort()).toEqual(stored);
      expect(page.controller.getResponse(archiveOf(page.notes)).data).toEqual([]);
    }
  }

  /** What a log-out has discarded is not sent, and no tab shows it or has it queued. */
  #checkDiscarded(): void {
    for (const asked of this.#asked.filter(({ isDiscarded }) => isDiscarded)) {
      const { what } = asked;
      expect({ what, isDone: this.#isDone(asked) }).toEqual({ what, isDone: false });
      const [verb, text] = what.split(' ');
      for (const { isDead, page } of this.#tabs) {
        if (isDead) continue;
        const isShown = verb !== 'delete' && page.texts()?.includes(text) === true;
        expect({ what, isQueued: isQueued(page, asked), isShown }).toEqual({
          what,
          isQueued: false,
          isShown: false,
        });
      }
    }
  }

  #isDone({ what }: Asked): boolean {
    return this.#server.done.some((done) => this.#named(done) === this.#named(what));
  }

  /**
   * A deleted note is named by its first text: the deleting tab may have shown an edit of a tab that was killed
   * before it stored the edit.
   */
  #named(what: string): string {
    const [verb, text = ''] = what.split(' ');
    return verb === 'delete' ? `delete ${this.#firstText(text)}` : what;
  }

  #firstText(text: string): string {
    return this.#firstTexts.get(text) ?? text;
  }

  /** No mutation was sent again that had been answered: a server that knows no keys would undo what came after it. */
  checkSentOnce(): void {
    const keys = this.#server.seen.flatMap(({ key }) => key ?? []);
    expect(keys).toEqual([...new Set(keys)]);
  }

  /** And so does a page that is opened without a network, from what lies on disk. */
  async checkDisk(): Promise<void> {
    if (!this.#setting.withStorage) return;
    if (this.#hasLostRows) await this.#repair();
    await this.close();
    this.#device.isOnline = false;
    this.#server.weather = () => 'down';
    const tab = this.#page({});
    this.#tabs[0] = tab;
    await this.#until(tab, tab.started);
    const { controller, notes } = tab.page;
    const shown = (await controller.fetchIfStale(notes.getList)).map(({ text }) => text).sort();
    expect(shown).toEqual([...this.#server.notes.values()].map(({ text }) => text).sort());
    expect(await controller.fetchIfStale(archiveOf(notes))).toEqual([]);
  }

  /** Reading the whole disk detects lost records. The tabs, which have all data in memory, write them again. */
  async #repair(): Promise<void> {
    const finder = this.#page({});
    await this.#until(finder, finder.started);
    await this.#until(finder, finder.page.controller.restored);
    await this.#leave(finder);
    for (const tab of this.#tabs) {
      await this.#until(tab, tab.page.controller.catchUp());
      await this.#until(tab, tab.page.controller.flush());
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#tabs.map((tab) => this.#leave(tab)));
  }

  async #happens(event: Event): Promise<void> {
    switch (event.kind) {
      case 'create':
      case 'edit':
      case 'remove':
        return this.#write(event.kind, this.#tabs[event.tab]!, event.which);
      case 'offline':
      case 'online':
        this.#device.isOnline = event.kind === 'online';
        return;
      case 'reload':
        // What was said to be queued is on disk; the page goes as a page does.
        await this.#leave(this.#tabs[event.tab]!);
        this.#loseUnheld(event.tab);
        // Which takes time: orders are counted within a millisecond, and a new page has not counted along.
        this.#device.pass(1);
        return this.open(event.tab);
      case 'drain':
        void this.#tabs[event.tab]!.page.box.drain();
        return;
      case 'kill': {
        const [first = 1, ...next] = event.steps;
        this.#lives[event.tab].push(...next);
        this.#tabs[event.tab]!.dieAfter(first);
        return;
      }
      case 'expire':
        this.#valid += 1;
        return;
      case 'initFails':
        this.#valid += 1;
        this.#token = undefined;
        return;
      case 'signIn':
        this.#token = this.#valid;
        return;
      case 'close':
      case 'clearSiteData':
      case 'loseRecord': {
        const fault = tasks(event.after).then(() => this.#befall(event));
        this.#faults.add(fault);
        if (event.after === 0) await fault;
        return;
      }
      case 'slowReload': {
        await this.#leave(this.#tabs[event.tab]!);
        this.#loseUnheld(event.tab);
        this.#device.pass(1);
        const releases = Object.keys(DATABASES).map(holdOpening);
        const opened = this.open(event.tab, { openWithin: 1 });
        const page = this.#tabs[event.tab]!;
        this.#opening.add(page);
        this.#device.schedule(() => {
          for (const release of releases) release();
          // Until it has read what the other one may be the last to know.
          void tasks(20).then(() => this.#opening.delete(page));
        }, SLOW);
        return opened;
      }
      case 'logout':
        // The last one was a moment ago, even if pages are opened in no time here.
        this.#device.pass(1);
        return event.unsent === 'discard' ? this.#logOutForGood(event) : this.#logOut(this.#tabs[event.tab]!);
      case 'worker':
        return this.#wakeWorker(event);
      case 'weather':
        this.#weather([...event.weather]);
        return;
      case 'pass':
        this.#device.pass(event.time);
        return;
      case 'settle':
        for (let turns = 0; turns < 20; turns++) await turn();
    }
  }

  /** A page was left. While the other one waits for its database, no page holds what the browser has lost. */
  #loseUnheld(left: 0 | 1): void {
    if (this.#opening.has(this.#tabs[1 - left]!))
      for (const asked of this.#endangered) asked.mayBeLost = true;
  }

  #befall({ kind, nth, ...closing }: DiskFault): void {
    // What the tabs have in memory they write again, unless they are killed before they have.
    if (kind !== 'close') {
      this.#endangered = [...this.#asked];
      for (const { what, of } of this.#asked)
        if (what.startsWith('create ') && !this.#server.done.includes(what)) this.#makersEndangered.add(of);
      for (const asked of this.#onDiskAlone) asked.mayBeLost = true;
      // Nor do pages whose databases do not open yet, except for what they have queued themselves: that another page has
      // announced something does not mean that it was stored.
      const holds = (tab: MortalPage, asked: Asked): boolean =>
        !tab.isDead && (asked.by === tab || !this.#opening.has(tab)) && isQueued(tab.page, asked);
      for (const asked of this.#asked)
        if (!this.#tabs.some((tab) => holds(tab, asked))) asked.mayBeLost = true;
    }
    if (kind === 'clearSiteData') {
      localStorage.clear();
      for (const asked of this.#asked)
        if (!this.#server.done.includes(asked.what) && !this.#tabs.every(({ page }) => isQueued(page, asked)))
          asked.mayBeLate = true;
    }
    for (const [name, stores] of Object.entries(DATABASES)) {
      if (kind === 'close') closeConnections(name, closing);
      else if (kind === 'clearSiteData') clearSiteData(name, closing);
      else {
        const store = stores[nth % stores.length]!;
        const lost = loseRecord(name, store, nth);
        const isLost = lost !== undefined;
        if (lost?.key === 'reset') this.#resetLosses += 1;
        if (isLost && !['outbox', 'entries', 'lease'].includes(store)) this.#hasLostRows = true;
        else if (isLost)
          for (const asked of this.#asked)
            if (!this.#server.done.includes(asked.what)) asked.mayBeLate = true;
      }
    }
  }

  /** All tabs drop their data, and unsent mutations stay for the next sign-in, which is by the same user. */
  async #logOut(tab: MortalPage): Promise<void> {
    this.#valid += 1;
    this.#onDiskAlone = [...this.#asked];
    for (const asked of this.#endangered) asked.mayBeLost = true;
    await this.#until(tab, tab.page.controller.reset({ unsent: 'keep' }));
    for (let turns = 0; turns < 40; turns++) await turn();
  }

  /** All tabs drop their data and unsent mutations, except for those that the server receives at this moment. */
  async #logOutForGood({ tab: place, isHasty = false }: LogOut): Promise<void> {
    const tab = this.#tabs[place]!;
    this.#valid += 1;
    const unsent = this.#asked.filter((asked) => !this.#isDone(asked));
    // If the page is killed, some of them may be.
    for (const asked of unsent) asked.mayBeLost = true;
    let isReset = false;
    const reset = tab.page.controller.reset().then(() => (isReset = true));
    if (isHasty) {
      reset.catch(() => undefined);
      await this.#leave(tab);
      if (!tab.isDead) isReset = true;
      this.#device.pass(1);
      await this.open(place);
    } else await this.#until(tab, reset);
    for (let turns = 0; turns < 40; turns++) await turn();
    if (isReset) for (const asked of unsent) if (!this.#isDone(asked)) asked.isDiscarded = true;
  }

  /** Opens killed tabs again. */
  async #revive(): Promise<void> {
    for (const place of [0, 1] as const) {
      while (this.#tabs[place]!.isDead) {
        this.deaths += 1;
        for (const asked of this.#endangered) asked.mayBeLost = true;
        this.#device.pass(1);
        await this.open(place);
        const other = this.#tabs[1 - place]!;
        await this.#until(other, other.page.controller.catchUp());
      }
    }
  }

  async #leave(tab: MortalPage): Promise<void> {
    const left = tab.leave();
    if (!(await this.#until(tab, left)) && !tab.isDead) throw new Error('It does not stop');
  }

  /** Waits until a tab is told, or dead. Gives whether it was told. */
  async #until(tab: MortalPage, promise: Promise<unknown>): Promise<boolean> {
    let isTold = false;
    const told = (): boolean => (isTold = true);
    promise.then(told, told);
    await this.#passUntil(() => isTold || tab.isDead);
    return isTold;
  }

  /** Waits until something holds. Requests and disks take no time here, so time passes only where nothing else does. */
  async #passUntil(holds: () => boolean): Promise<void> {
    const began = performance.now();
    for (let turns = 1; !holds(); turns++) {
      this.#device.pass(turns % 100 === 0 ? 500 : 0);
      // A connection that was lost twice is opened again after a pause, in time of this machine.
      if (turns > 10_000 && performance.now() - began > STUCK)
        throw new Error(
          `Stuck: ${JSON.stringify(this.#tabs.map(({ page }) => page.box.status.get().entries))}`,
        );
      await turn();
    }
  }

  /** Whether its deletion was asked for, which a log-out shows no longer. */
  #isAskedToDelete(firstText: string, isDiscardable: boolean): boolean {
    return this.#asked.some(
      ({ what, of, isDiscarded }) =>
        what.startsWith('delete ') && of === firstText && !(isDiscarded && isDiscardable),
    );
  }

  #weather(each: Weather[]): void {
    this.#server.weather = ({ method, body, headers }) => {
      const weather = method === 'GET' ? 'fine' : (each.shift() ?? 'fine');
      const isIn = method === 'GET' || headers.get('Authorization') === String(this.#valid);
      // What is down or in between does not know who is asking.
      if (!isIn && (weather === 'fine' || weather === 422)) return 401;
      if (weather !== 422) return weather;
      if (method === 'DELETE') return 'fine';
      const { text } = body as { readonly text: string }; // of a creation or an edit
      const what = `${method === 'POST' ? 'create' : 'edit'} ${text}`;
      // What it has done, it does not refuse when it is asked again.
      if (this.#server.done.includes(what)) return 'fine';
      this.#refused.add(what);
      return weather;
    };
  }

  async #write(kind: 'create' | 'edit' | 'remove', tab: MortalPage, which: number): Promise<void> {
    // No tab changes a note that another one has just deleted: the server would rightly reject that.
    for (let turns = 0; turns < 20; turns++) await turn();
    if (tab.isDead) return;
    const { controller, notes } = tab.page;
    // Nor what another tab, which alone has heard of it, still shows as deleted by one that was killed.
    const inList: readonly Note[] = controller.getResponse(notes.getList).data ?? [];
    const shown = inList.filter(
      ({ id, text }) =>
        !this.#tabs.some(({ page }) => isDeleting(page, id)) &&
        !this.#isAskedToDelete(this.#firstText(text), kind !== 'remove'),
    );
    const note = shown[which % Math.max(1, shown.length)];
    this.#count += 1;
    const text = String(this.#count);
    if (kind === 'edit' && note !== undefined) this.#firstTexts.set(text, this.#firstText(note.text));
    const ask = (what: string, promise: Promise<unknown>): readonly [Asked, Promise<unknown>] => {
      const of = kind === 'create' || note === undefined ? text : this.#firstText(note.text);
      const asked = {
        what,
        of,
        by: tab,
        id: note?.id,
        isTold: false,
        mayBeLost: false,
        mayBeLate: false,
        isDiscarded: false,
      };
      this.#asked.push(asked);
      return [asked, promise];
    };
    // Some apps choose the pks themselves.
    const ownPk = which % 2 === 1 ? { id: 1_000 + this.#count } : {};
    const [asked, promise] =
      kind === 'create' || note === undefined
        ? ask(`create ${text}`, controller.fetch(notes.create, { ...ownPk, text }))
        : kind === 'edit'
          ? ask(`edit ${text}`, controller.fetch(notes.partialUpdate, { id: note.id }, { text }))
          : ask(`delete ${note.text}`, controller.fetch(notes.delete, { id: note.id }));
    // What can neither be sent nor be stored, since the database does not open (again) yet, fails.
    const isLate = this.#opening.size > 0 || this.#impatient.has(tab);
    // Nor what is stored while what its write reads is lost, and lost again as the write is repeated.
    const mayFail = (): boolean => isLate || this.#resetLosses > 1;
    let hasFailed = false;
    promise.catch(() => {
      hasFailed = true;
      if (mayFail()) this.#hasFailed = true;
    });
    asked.isTold = (await this.#until(tab, promise)) && !(mayFail() && hasFailed);
  }
}

/** Whether a page has it in its outbox. */
function isQueued(page: Page, { what, id }: Asked): boolean {
  const [verb, text] = what.split(' ');
  if (verb === 'delete') return isDeleting(page, id);
  return page.box.status.get().entries.some(({ args }) => (args.at(-1) as Partial<Note>).text === text); // the body
}

/** Whether a page has a deletion of this note in its outbox. */
function isDeleting({ box, notes }: Page, id: unknown): boolean {
  const isIt = ({ id: deleted }: { readonly id?: unknown }): boolean => deleted === id;
  return box.status
    .get()
    .entries.some(({ name, args }) => name === notes.delete.name && isIt(args[0] as object)); // its params
}
