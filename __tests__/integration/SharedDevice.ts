import { expect } from '@jest/globals';
import type { HoldfastError, Unsent } from 'holdfast';
import { openDB } from 'idb';
import { DeviceLocks } from '../outbox/MortalPage.ts';
import { Device } from '../support/outbox.ts';
import { PageStorage } from '../support/PageStorage.ts';
import { turns } from '../support/turns.ts';
import { SessionPage, type SessionDevice, type SessionSetting } from './SessionPage.ts';
import { SessionServer, type Cookie, type SessionRequest, type User } from './SessionServer.ts';

type Tab = 0 | 1;

/** What a person does on a page. */
type Act =
  | { readonly kind: 'read' | 'toggle' | 'create'; readonly tab: Tab }
  | { readonly kind: 'edit' | 'remove'; readonly tab: Tab; readonly which: number };

/** What people do in two tabs of one device, one after the other, and what becomes of their requests. */
export type SessionEvent =
  | Act
  | { readonly kind: 'reload' | 'notice'; readonly tab: Tab }
  /** The server executes a request, the response arrives, or it is lost. */
  | { readonly kind: 'execute' | 'respond' | 'lose'; readonly nth: number }
  /** The server no longer accepts the token. */
  | { readonly kind: 'expire' | 'settle' }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'signIn'; readonly tab: Tab; readonly user: User }
  | {
      readonly kind: 'logOut';
      readonly tab: Tab;
      readonly unsent: Unsent;
      /** Whether the page is left without waiting for the reset. */
      readonly isHasty: boolean;
    };

/** A mutation that somebody asked for. */
interface Asked {
  readonly what: string;
  readonly owner: User;
  /** What the row was created by. */
  readonly of: string;
  /** Whether the caller was told that it is stored, or done. */
  isTold: boolean;
  /** Whether a log-out may have discarded it. */
  isDiscarded: boolean;
  /** Whether it was sent before the log-out that discarded it, so that the server may still execute it. */
  mayBeExecuted: boolean;
}

/** A device that two people use, one after the other. */
export class SharedDevice {
  readonly #server = new SessionServer();
  readonly #device = new Device();
  readonly #setting: SessionSetting;
  readonly #shared: SessionDevice;
  readonly #errors: HoldfastError[] = [];
  /** Undefined where the app shows its login page. */
  readonly #pages: [SessionPage | undefined, SessionPage | undefined] = [undefined, undefined];
  /** Every page, to be closed in the end. */
  readonly #opened: SessionPage[] = [];
  readonly #asked: Asked[] = [];
  #cookie: Cookie | undefined;
  #count = 0;

  constructor(setting: SessionSetting) {
    Object.assign(globalThis, { document: {}, localStorage: new PageStorage() });
    this.#setting = setting;
    this.#shared = {
      device: this.#device,
      locks: new DeviceLocks(),
      setting,
      currentUser: () => this.#cookie?.user,
      send: (path, init) => this.#send(path, init),
      onError: (error) => void this.#errors.push(error),
    };
  }

  async open(): Promise<void> {
    await this.#signIn('ada');
    for (const tab of [0, 1] as const) {
      const page = await this.#open(tab);
      page?.read();
      await this.#settle();
    }
  }

  async close(): Promise<void> {
    for (const page of this.#opened) await page.close();
  }

  async happens(event: SessionEvent): Promise<void> {
    this.#device.now += 1;
    await this.#happens(event);
    await this.#turns();
    this.#check(event);
  }

  /** Each person signs in, everything is sent, and after the last log-out nothing is left on the device. */
  async ends(): Promise<void> {
    const people = this.#setting.users === 'single' ? (['ada'] as const) : (['ada', 'grace'] as const);
    if (this.#setting.users === 'shared') await this.#logOut(0, 'discard', false);
    for (const user of people) {
      await this.#signIn(user);
      for (const tab of [0, 1] as const) await this.#reload(tab);
      for (let round = 0; round < 3; round++) {
        await this.#settle();
        this.#device.pass(60_000);
        await this.#turns();
      }
      for (const page of this.#pages) page?.read();
      await this.#settle();
      this.#check(`the end of ${user}`);
      this.#checkSent(user);
      const stored = this.#server
        .notesOf(user)
        .map(({ text }) => text)
        .sort();
      for (const page of this.#pages) expect(page?.notes.map(({ text }) => text).sort()).toEqual(stored);
      await this.#logOut(0, 'discard', false);
      await turns();
      expect({ user, left: await this.#leftOnDisk(user) }).toEqual({ user, left: [] });
    }
  }

  /** Waits until what follows from the last event has happened, with what is scheduled for the next task. */
  async #turns(): Promise<void> {
    await turns();
    this.#device.pass(0);
    await turns();
  }

  #send(path: string, { method = 'GET', body, headers, signal }: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const request: SessionRequest = {
        method,
        path,
        body: JSON.parse(typeof body === 'string' ? body : '{}') as SessionRequest['body'], // what the page has sent
        key: new Headers(headers).get('Idempotency-Key'),
        cookie: this.#cookie,
        resolve,
        reject,
      };
      this.#server.requests.add(request);
      if (this.#setting.honorsAbort) signal?.addEventListener('abort', () => reject(signal.reason as Error)); // as given to abort()
    });
  }

  async #happens(event: SessionEvent): Promise<void> {
    switch (event.kind) {
      case 'settle':
        return this.#settle();
      case 'pass':
        this.#device.pass(event.ms);
        return;
      case 'execute':
      case 'respond':
      case 'lose':
        this.#goOn(event);
        return;
      case 'expire':
        if (this.#cookie !== undefined) this.#server.expire(this.#cookie.user);
        return;
      case 'signIn': {
        const user = this.#setting.users === 'single' ? 'ada' : event.user;
        // Where people share a database, one must log out before the next can sign in.
        if (this.#setting.users === 'shared' && this.#cookie !== undefined && this.#cookie.user !== user)
          return;
        await this.#signIn(user);
        return this.#notice(event.tab);
      }
      case 'notice':
        return this.#notice(event.tab);
      case 'logOut':
        return this.#logOut(
          event.tab,
          this.#setting.users === 'shared' ? 'discard' : event.unsent,
          event.isHasty,
        );
      case 'reload':
        return this.#reload(event.tab);
      case 'read':
      case 'toggle':
      case 'create':
      case 'edit':
      case 'remove':
        this.#act(event);
    }
  }

  async #signIn(user: User): Promise<void> {
    this.#cookie = this.#server.signIn(user);
    await turns();
  }

  /** The app notices who is signed in: a page of another user is left, and so is the login page. */
  async #notice(tab: Tab): Promise<void> {
    const page = this.#pages[tab];
    if (page === undefined || page.user !== this.#cookie?.user) await this.#reload(tab);
  }

  async #reload(tab: Tab): Promise<void> {
    await this.#pages[tab]?.close();
    this.#pages[tab] = undefined;
    await this.#open(tab);
  }

  async #open(tab: Tab): Promise<SessionPage | undefined> {
    const user = this.#cookie?.user;
    if (user === undefined) return undefined;
    const page = new SessionPage(user, this.#shared, ({ user }) => this.#onLogout(user));
    this.#pages[tab] = page;
    this.#opened.push(page);
    await page.controller.ready;
    await page.controller.restored;
    return page;
  }

  /** The plugin has reset a page at a 401. */
  #onLogout(user: User): void {
    if (this.#cookie?.user === user && !this.#server.isValid(this.#cookie)) this.#cookie = undefined;
    if (this.#setting.users === 'shared') this.#discard(user);
  }

  async #logOut(tab: Tab, unsent: Unsent, isHasty: boolean): Promise<void> {
    const page = this.#pages[tab];
    if (page === undefined) return;
    this.#cookie = undefined;
    const user = this.#setting.users === 'shared' ? undefined : page.user;
    if (unsent === 'discard') this.#discard(user);
    const reset = page.controller.reset({ unsent });
    reset.catch(() => undefined);
    expect(page.notes).toEqual([]);
    if (!isHasty) await reset;
    this.#pages[tab] = undefined;
    await page.close();
    await turns();
    for (const other of this.#pages)
      if (user === undefined || other?.user === user)
        expect({ shown: other?.notes ?? [] }).toEqual({ shown: [] });
    const left = await this.#leftOnDisk(user);
    // What waits for the same user stays in the queue.
    expect(unsent === 'keep' ? left.filter((each) => !each.includes(' outbox ')) : left).toEqual([]);
  }

  /** Everything of a user, or of everybody, that the server has not executed. */
  #discard(user: User | undefined): void {
    const sent = [...this.#server.requests].map(nameOf);
    for (const asked of this.#asked) {
      if ((user !== undefined && asked.owner !== user) || this.#server.handled.includes(asked.what)) continue;
      asked.isDiscarded = true;
      if (sent.includes(asked.what)) asked.mayBeExecuted = true;
    }
  }

  #act(event: Act): void {
    const page = this.#pages[event.tab];
    if (page === undefined) return;
    const owner = page.user;
    const isCurrent = this.#cookie?.user === owner;
    // A database that is shared does not know whose page has not noticed yet that somebody else is there.
    const mayWrite = isCurrent || this.#setting.users !== 'shared';
    const isRead = event.kind === 'read' || event.kind === 'toggle';
    if (isRead ? !isCurrent : !mayWrite) return;
    const tag = `${owner}-${(this.#count += 1)}`;
    if ('which' in event) {
      const { notes } = page;
      const note = notes[event.which % notes.length];
      if (note === undefined) return;
      if (event.kind === 'edit') this.#ask(`edit ${tag}`, owner, note.tag, page.edit(note, tag));
      else this.#ask(`remove ${note.tag}`, owner, note.tag, page.remove(note));
    } else if (event.kind === 'create') {
      this.#ask(`create ${tag}`, owner, tag, page.create({ tag, text: tag }));
    } else page[event.kind]();
  }

  #ask(what: string, owner: User, of: string, promise: Promise<unknown>): void {
    const asked = { what, owner, of, isTold: false, isDiscarded: false, mayBeExecuted: false };
    this.#asked.push(asked);
    promise.then(
      () => (asked.isTold = true),
      () => undefined,
    );
  }

  /** Executes and answers everything, in order. */
  async #settle(): Promise<void> {
    await turns();
    for (let [request] = this.#server.requests; request !== undefined; [request] = this.#server.requests) {
      this.#server.execute(request);
      this.#server.end(request);
      await this.#turns();
    }
  }

  #goOn({ kind, nth }: { readonly kind: 'execute' | 'respond' | 'lose'; readonly nth: number }): void {
    const isExecuted = kind !== 'execute';
    const all = [...this.#server.requests].filter(({ response }) => (response !== undefined) === isExecuted);
    const request = all[nth % all.length];
    if (request === undefined) return;
    if (isExecuted) this.#server.end(request, kind === 'lose');
    else this.#server.execute(request);
  }

  /** Nobody sees or changes what is another's, and what was discarded is gone. */
  #check(event: unknown): void {
    expect({ event, violations: this.#server.violations }).toEqual({ event, violations: [] });
    for (const [tab, page] of this.#pages.entries()) {
      if (page === undefined) continue;
      const user = this.#setting.users === 'shared' ? this.#cookie?.user : page.user;
      const foreign = page.notes
        .map(({ tag }) => tag)
        .filter((tag) => user === undefined || !tag.startsWith(user));
      expect({ event, tab, foreign }).toEqual({ event, tab, foreign: [] });
    }
    const { handled } = this.#server;
    expect({ event, handled }).toEqual({ event, handled: [...new Set(handled)] });
    const sent = this.#asked.filter(
      ({ what, isDiscarded, mayBeExecuted }) => isDiscarded && !mayBeExecuted && handled.includes(what),
    );
    expect({ event, sent: sent.map(({ what }) => what) }).toEqual({ event, sent: [] });
    const errors = this.#errors.filter(({ code }) => code !== 'HF_OUTBOX_AUTH').map(({ message }) => message);
    expect({ event, errors }).toEqual({ event, errors: [] });
  }

  /** What was stored for a user, and not discarded, has reached the server. */
  #checkSent(user: User): void {
    const lost = this.#asked.filter(
      ({ owner, isTold, isDiscarded, what }) =>
        owner === user && isTold && !isDiscarded && !this.#server.handled.includes(what),
    );
    expect({ user, lost: lost.map(({ what }) => what) }).toEqual({ user, lost: [] });
  }

  /** What names a user in any database. */
  async #leftOnDisk(user: User | undefined): Promise<readonly string[]> {
    const left: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await openDB(name);
      for (const store of database.objectStoreNames) {
        const text = JSON.stringify(await database.getAll(store));
        for (const [tag] of text.matchAll(/(?:ada|grace)-\d+/g))
          if (user === undefined || tag.startsWith(user)) left.push(`${name} ${store} ${tag}`);
      }
      database.close();
    }
    return left;
  }
}

function nameOf({ method, path, body }: SessionRequest): string {
  if (method === 'POST') return `create ${body.tag}`;
  return method === 'DELETE' ? `remove ${path.split('/')[2]}` : `edit ${body.text}`;
}
