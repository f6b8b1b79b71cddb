import { expect } from '@jest/globals';
import { isTemporaryPk, NetworkError, type HoldfastError } from 'holdfast';
import { DeviceLocks } from '../outbox/MortalPage.ts';
import { Device } from '../support/outbox.ts';
import { turns } from '../support/turns.ts';
import { FeedKnowledge, matches, type Pending } from './FeedKnowledge.ts';
import { FeedPage, LISTS, ORIGIN, PARAMS, type FeedSetting, type ListName } from './FeedPage.ts';
import { FeedServer, type FeedItem, type Quirk, type Refusal, type Status } from './FeedServer.ts';

type Tab = 0 | 1;

/** What people do in the tabs and elsewhere, and what becomes of the requests. */
export type FeedEvent =
  | {
      /** A screen shows a list, or its next page is requested. */
      readonly kind: 'mount' | 'unmount' | 'refetch' | 'more' | 'invalidate';
      readonly tab: Tab;
      readonly list: ListName;
    }
  /** Any page is requested. */
  | { readonly kind: 'jump'; readonly tab: Tab; readonly list: ListName; readonly which: number }
  | { readonly kind: 'create'; readonly tab: Tab; readonly status: Status; readonly isFirst: boolean }
  | { readonly kind: 'edit' | 'move' | 'remove'; readonly tab: Tab; readonly which: number }
  /** The server executes a request, the response arrives, or it is lost. */
  | { readonly kind: 'execute'; readonly nth: number; readonly quirk: Quirk; readonly refusal: Refusal }
  | { readonly kind: 'respond' | 'lose'; readonly nth: number }
  | {
      /** Other people change the feed. */
      readonly kind: 'others';
      readonly do: 'insert' | 'remove' | 'edit' | 'status' | 'rank';
      readonly which: number;
      readonly rank: number;
    }
  | { readonly kind: 'settle' | 'flush' }
  | { readonly kind: 'pass'; readonly ms: number }
  /** What is not mounted is dropped from memory, or the page is reloaded. */
  | { readonly kind: 'collect' | 'reload'; readonly tab: Tab };

interface FeedRequest {
  readonly page: FeedPage;
  readonly began: number;
  readonly method: string;
  readonly url: URL;
  readonly body: FeedItem;
  readonly key: string | null;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
  /** Undefined until the server has executed it. */
  response?: Response;
}

/** A feed in one or two tabs, other people who change it, and what the tabs must show. */
export class FeedWorld {
  readonly #server: FeedServer;
  readonly #setting: FeedSetting;
  readonly #device = new Device();
  readonly #shared;
  readonly #pages: FeedPage[] = [];
  readonly #errors: HoldfastError[] = [];
  readonly #requests = new Set<FeedRequest>();
  readonly #knowledge: FeedKnowledge;
  #pending: Pending[] = [];
  readonly #shown = new Map<string, { readonly text: string | undefined; readonly data: unknown }>();
  #sent = 0;
  #count = 0;

  constructor(setting: FeedSetting) {
    this.#setting = setting;
    this.#knowledge = new FeedKnowledge(setting);
    this.#server = new FeedServer(setting.style, setting.respondsWithData);
    this.#shared = {
      device: this.#device,
      locks: new DeviceLocks(),
      onError: (error: HoldfastError) => void this.#errors.push(error),
    };
  }

  async open(): Promise<void> {
    for (let tab = 0; tab < this.#setting.tabs; tab++) {
      await this.#open(tab as Tab);
      for (const list of ['all', 'open'] as const) this.#pages[tab]!.mount(list);
      await this.#settle();
    }
    this.#check('open');
  }

  async close(): Promise<void> {
    for (const { controller } of this.#pages) await controller.stop();
  }

  async happens(event: FeedEvent): Promise<void> {
    this.#device.now += 1;
    const before = this.#sent;
    const pending = this.#pending;
    switch (event.kind) {
      case 'settle':
        await this.#settle();
        break;
      case 'flush':
        await this.#flush();
        break;
      case 'pass':
        this.#device.pass(event.ms);
        break;
      case 'others':
        this.#others(event);
        break;
      case 'execute': {
        const all = [...this.#requests].filter(({ response }) => response === undefined);
        const request = all[event.nth % all.length];
        if (request !== undefined) await this.#execute(request, event.quirk, event.refusal);
        break;
      }
      case 'respond':
      case 'lose': {
        const all = [...this.#requests].filter(({ response }) => response !== undefined);
        const request = all[event.nth % all.length];
        if (request !== undefined) await this.#end(request, event.kind === 'lose');
        break;
      }
      case 'mount':
      case 'unmount':
      case 'refetch':
      case 'more':
      case 'jump':
      case 'invalidate':
      case 'create':
      case 'edit':
      case 'move':
      case 'remove':
      case 'collect':
      case 'reload':
        await this.#act(event);
    }
    await turns();
    if (event.kind === 'settle') this.#shown.clear();
    // No loops.
    if (event.kind !== 'settle') expect(this.#sent - before).toBeLessThan(12);
    const isAnswer = pending !== this.#pending || event.kind === 'lose';
    this.#check(event, isAnswer);
  }

  /** Everything is sent and answered, and the lists are read to the end. */
  async ends(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await this.#settle();
      this.#device.pass(60_000);
      await turns();
    }
    await this.#settle();
    this.#shown.clear();
    this.#check('settled');
    expect(this.#pending).toEqual([]);
    const [first] = this.#pages as [FeedPage];
    for (const list of LISTS) {
      this.#device.now += 1;
      const before = this.#sent;
      const expected = this.#server.list(paramsOf(list)).map(textOf);
      void first.refetch(list);
      await this.#settle();
      for (let page = 0; page < 20 && first.next(list) !== undefined; page++) {
        this.#device.now += 1;
        first.more(list);
        await this.#settle();
      }
      expect({ list, shown: textsOf(first, list) }).toEqual({ list, shown: expected });
      expect(this.#sent - before).toBeLessThan(expected.length / 3 + 4);
    }
    const expected = LISTS.map((list) => [list, this.#server.list(paramsOf(list)).map(textOf)]);
    const compare = (where: string): void => {
      for (const [tab, page] of this.#pages.entries())
        expect({ where, tab, lists: LISTS.map((list) => [list, textsOf(page, list)]) }).toEqual({
          where,
          tab,
          lists: expected,
        });
    };
    compare('end');
    if (!this.#setting.withDisk) return;
    await this.#flush();
    for (const tab of this.#pages.keys()) {
      await this.#pages[tab]!.controller.stop();
      await this.#open(tab as Tab);
    }
    for (const page of this.#pages) {
      await page.controller.restored;
      for (const list of LISTS) page.readIfStale(list);
    }
    await turns();
    compare('reloaded');
  }

  async #open(tab: Tab): Promise<void> {
    for (const request of this.#requests)
      if (request.page === this.#pages[tab]) this.#requests.delete(request);
    const send = (page: FeedPage, url: string, init: RequestInit): Promise<Response> =>
      new Promise((resolve, reject) => {
        // A page that is gone sends nothing.
        if (!this.#pages.includes(page)) return;
        this.#sent += 1;
        this.#requests.add({
          page,
          began: this.#device.now,
          method: init.method ?? 'GET',
          url: new URL(url, ORIGIN),
          body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') as FeedItem, // what the page has sent
          key: new Headers(init.headers).get('Idempotency-Key'),
          resolve,
          reject,
        });
      });
    const page = new FeedPage(send, this.#setting, this.#shared);
    this.#pages[tab] = page;
    for (const list of LISTS) this.#shown.delete(`${tab} ${list}`);
    await page.controller.ready;
    await page.controller.restored;
    await turns();
  }

  async #flush(): Promise<void> {
    await turns();
    for (const { controller } of this.#pages) await controller.flush();
  }

  /** Executes and answers everything, in order. */
  async #settle(): Promise<void> {
    await turns();
    let count = 0;
    for (let [request] = this.#requests; request !== undefined; [request] = this.#requests) {
      this.#device.now += 1;
      if (request.response === undefined) await this.#execute(request, 'none', 'none');
      if (this.#requests.has(request)) await this.#end(request, false);
      await turns();
      expect((count += 1)).toBeLessThan(100);
    }
  }

  async #execute(request: FeedRequest, quirk: Quirk, refusal: Refusal): Promise<void> {
    const { method, url, body, key } = request;
    if (method === 'GET') {
      request.response = this.#server.read(url, quirk);
      return;
    }
    const id = url.pathname.split('/')[2];
    request.response = this.#server.write(method, id, body, key, refusal);
    // A list that is read in between would show what was created twice, under both pks.
    if (method === 'POST') await this.#end(request, false);
  }

  async #end(request: FeedRequest, isLost: boolean): Promise<void> {
    const { method, url, response, resolve, reject } = request;
    this.#requests.delete(request);
    if (response === undefined) return;
    const { href } = url;
    if (isLost) {
      reject(new NetworkError('No connection', { status: 0, url: href, method }));
      if (method !== 'GET' && !this.#setting.withOutbox) this.#drop(this.#pendingOf(request));
      return;
    }
    const { status } = response;
    const text = await response.clone().text();
    const json = text === '' ? undefined : (JSON.parse(text) as unknown);
    if (!response.ok) {
      if (method !== 'GET') this.#drop(this.#pendingOf(request));
      reject(new NetworkError(`Status ${status}`, { status, url: href, method, response, body: json }));
      return;
    }
    if (method === 'GET') this.#received(request, (json as { items: FeedItem[] }).items);
    else this.#confirmed(this.#pendingOf(request));
    resolve(response);
  }

  #pendingOf({ method, url, body }: FeedRequest): Pending {
    const id = url.pathname.split('/')[2];
    const found = this.#pending.find((one) =>
      method === 'POST'
        ? one.kind === 'create' && one.tag === body.tag
        : one.id === id && (method === 'DELETE' ? one.kind === 'remove' : one.title === body.title),
    );
    if (found === undefined) throw new Error(`Nobody has asked for ${method} ${url.href}`);
    return found;
  }

  #drop(pending: Pending): void {
    this.#pending = this.#pending.filter((one) => one !== pending);
  }

  #received({ url, began, page }: FeedRequest, items: readonly FeedItem[]): void {
    const list = LISTS.find((name) => isOf(name, url.searchParams))!;
    const tags = items.map(({ tag }) => tag);
    if (url.searchParams.get(this.#setting.style) !== null) this.#knowledge.receivedPage(list, tags, began);
    else this.#knowledge.receivedList(list, tags, began, page.feed(list) === undefined);
  }

  #confirmed(pending: Pending): void {
    this.#drop(pending);
    this.#knowledge.confirmed(pending, this.#device.now);
  }

  #others({ do: what, which, rank }: Extract<FeedEvent, { readonly kind: 'others' }>): void {
    const status = which % 2 === 0 ? 'open' : 'closed';
    if (what === 'insert') this.#server.insert(rank, status);
    else if (what === 'remove') this.#server.remove(which);
    else if (what === 'edit') this.#server.change(which, { title: `o${(this.#count += 1)}` });
    else if (what === 'status') this.#server.change(which, { status });
    else this.#server.change(which, { rank });
  }

  async #act(event: Extract<FeedEvent, { readonly tab: Tab }>): Promise<void> {
    const tab = (event.tab % this.#setting.tabs) as Tab;
    const page = this.#pages[tab]!;
    switch (event.kind) {
      case 'mount':
        page.mount(event.list);
        break;
      case 'unmount':
        page.unmount(event.list);
        break;
      case 'refetch':
        void page.refetch(event.list);
        break;
      case 'more':
        page.more(event.list);
        break;
      case 'jump': {
        const { style } = this.#setting;
        const at =
          style === 'page' ? 2 + (event.which % 2) : style === 'offset' ? 3 + event.which : undefined;
        const item = this.#server.items[event.which % this.#server.items.length];
        page.getPage(event.list, at ?? `c${item?.rank ?? 0}`);
        break;
      }
      case 'invalidate': {
        this.#knowledge.invalidated(event.list, this.#device.now);
        page.invalidate(event.list);
        break;
      }
      case 'collect':
        // What is written within a second has left memory only minutes later.
        await this.#flush();
        for (const list of LISTS) page.unmount(list);
        this.#device.pass(5_000);
        break;
      case 'reload': {
        const mounted = [...page.screens.keys()];
        await page.controller.stop();
        if (!this.#setting.withOutbox) this.#pending = this.#pending.filter((one) => one.tab !== tab);
        if (!this.#setting.withDisk && this.#setting.tabs === 1) this.#knowledge.forget();
        await this.#open(tab);
        for (const list of mounted) this.#pages[tab]!.mount(list);
        break;
      }
      case 'create':
      case 'edit':
      case 'move':
      case 'remove':
        this.#mutate(event, tab, page);
    }
  }

  #mutate(
    event: Extract<FeedEvent, { readonly kind: 'create' | 'edit' | 'move' | 'remove' }>,
    tab: Tab,
    page: FeedPage,
  ): void {
    const tag = `n${(this.#count += 1)}`;
    if (event.kind === 'create') {
      const { status, isFirst } = event;
      this.#pending.push({ kind: 'create', tab, tag, id: '', title: tag, status, before: status, isFirst });
      page.create({ tag, title: tag, status }, isFirst);
      return;
    }
    const items = new Map(
      LISTS.flatMap((list) =>
        this.#knowledge.isInvalidated(list) ? [] : (page.feed(list)?.items ?? []),
      ).map((item) => [item.tag, item]),
    );
    const all = [...items.values()].filter(
      ({ tag, id }) =>
        !isTemporaryPk(String(id)) &&
        !this.#pending.some((one) => one.tag === tag && (one.kind !== 'edit' || event.kind !== 'edit')),
    );
    const item = all[event.which % all.length];
    if (item === undefined) return;
    const id = String(item.id);
    const common = { tab, tag: item.tag, id, title: tag, before: item.status };
    if (event.kind === 'edit') {
      this.#pending.push({ ...common, kind: 'edit', status: item.status });
      page.edit(id, tag);
    } else if (event.kind === 'move') {
      const status = item.status === 'open' ? 'closed' : 'open';
      this.#pending.push({ ...common, kind: 'move', status });
      page.move(id, status, tag);
    } else {
      this.#pending.push({ ...common, kind: 'remove', status: item.status });
      page.remove(id);
    }
  }

  /** @param isAnswer - whether a mutation has been answered, so that what is shown may have changed and changed back */
  #check(event: unknown, isAnswer = false): void {
    for (const [tab, page] of this.#pages.entries())
      for (const list of LISTS) {
        this.#checkIdentity(event, tab, list, page, isAnswer);
        const feed = page.feed(list);
        const where = { event, tab, list };
        if (feed === undefined) {
          // Without a disk it may be gone. A change that is pending keeps it.
          if (!this.#setting.withDisk && !page.screens.has(list)) this.#knowledge.mayBeGone(list);
          // No screen waits for ever.
          const isWaiting = page.screens.has(list) && !page.failed.has(list);
          if (this.#requests.size + this.#pending.length === 0)
            expect({ ...where, isWaiting }).toEqual({ ...where, isWaiting: false });
          continue;
        }
        const shown = feed.items.map((item) => item.tag);
        expect({ ...where, shown: [...new Set(shown)] }).toEqual({ ...where, shown });
        const { tabs, withDisk } = this.#setting;
        const { must, may } = this.#knowledge.of(list);
        for (const one of this.#pending) {
          if (!this.#setting.isOptimistic) continue;
          if (one.tab !== tab && !this.#setting.withOutbox) continue;
          if (one.kind === 'remove') {
            must.delete(one.tag);
            may.delete(one.tag);
          } else if (one.kind === 'create' || one.kind === 'move') {
            if (matches(list, one.status)) {
              must.add(one.tag);
              may.add(one.tag);
            } else if (matches(list, one.before)) {
              must.delete(one.tag);
              may.delete(one.tag);
            }
          }
        }
        // Of a list that is not mounted, a part may be only on disk.
        const isWhole = tabs === 1 && (page.screens.has(list) || !withDisk);
        const lost = isWhole ? [...must].filter((one) => !shown.includes(one)) : [];
        const foreign = shown.filter((one) => !may.has(one));
        expect({ ...where, lost, foreign }).toEqual({ ...where, lost: [], foreign: [] });
      }
    expect(this.#errors).toEqual([]);
  }

  /** What looks the same is the same object. */
  #checkIdentity(event: unknown, tab: number, list: ListName, page: FeedPage, isAnswer: boolean): void {
    const name = `${tab} ${list}`;
    const data = page.feed(list);
    const text = JSON.stringify(data);
    const before = this.#shown.get(name);
    if (!isAnswer && data !== undefined && before?.text === text && before.data !== data)
      expect({ event, name, isSame: false }).toEqual({ event, name, isSame: true });
    this.#shown.set(name, { text, data });
  }
}

function isOf(list: ListName, params: URLSearchParams): boolean {
  const own = paramsOf(list);
  return params.get('status') === own.get('status') && params.get('sort') === own.get('sort');
}

function paramsOf(list: ListName): URLSearchParams {
  return new URLSearchParams(Object.entries(PARAMS[list]).map(([name, value]) => [name, String(value)]));
}

function textsOf(page: FeedPage, list: ListName): readonly string[] | undefined {
  return page.feed(list)?.items.map(textOf);
}

function textOf({ tag, title, status, rank }: FeedItem): string {
  return `${tag} "${title}" ${status} ${rank}`;
}
