import { expect } from '@jest/globals';
import type { HoldfastError } from 'holdfast';
import type { OutboxEntry, OutboxOptions } from 'holdfast/outbox';
import { Device } from '../support/outbox.ts';
import { turns } from '../support/turns.ts';
import { DeviceLocks } from './MortalPage.ts';
import { Confirmed } from './Confirmed.ts';
import { RefusalPage, TABLES, type RefusalDevice, type Row, type TableName } from './RefusalPage.ts';
import {
  isDead,
  isOfOrphan,
  mayBeDone,
  nthOf,
  textOf,
  withDependents,
  type Asked,
  type RefusalEvent,
  type RefusalSetting,
  type Tab,
} from './RefusalEvent.ts';
import { partsOf, RefusalServer, type Outcome, type RefusalRequest } from './RefusalServer.ts';

/** Tasks with comments in two tabs, on a server that others use and that refuses mutations. */
export class RefusalBoard {
  readonly #device = new Device();
  readonly #shared: RefusalDevice;
  readonly #server: RefusalServer;
  readonly #pages: RefusalPage[] = [];
  readonly #errors: HoldfastError[] = [];
  readonly #requests = new Set<RefusalRequest>();
  readonly #confirmed = new Confirmed();
  /** By the key of the entry. */
  readonly #asked = new Map<string, Asked>();
  /** The tags of what was created, by temporary pk. */
  readonly #tags = new Map<string, string>();
  /** The tag of what a text was written to. */
  readonly #owners = new Map<string, string>();
  /** The idempotency keys of refused requests. */
  readonly #refused = new Set<string>();
  /** When the responses of conflicts arrived, by the key of the entry. */
  readonly #conflicts = new Map<string, number>();
  /** Whether a creation was given up, without a pk for what depends on it. */
  #mayBeOrphans = false;
  /** Rejections of what the server has not refused. */
  readonly #unfounded: unknown[] = [];
  readonly #isOffline: boolean;
  readonly #onConflict: RefusalSetting['onConflict'];
  #count = 0;

  constructor({ isOffline, respondsWithData, hasQueues, onConflict }: RefusalSetting) {
    this.#isOffline = isOffline;
    this.#onConflict = onConflict;
    this.#server = new RefusalServer(respondsWithData);
    const resolve: OutboxOptions['onConflict'] = async ({ key, args }, response) => {
      if (onConflict === 'again') return { args };
      if (onConflict === 'both') return { theirs: await response?.json(), mine: args };
      this.#asked.get(key)!.isOver = true;
      this.#mayBeOrphans = true;
      return 'discard';
    };
    this.#shared = {
      device: this.#device,
      locks: new DeviceLocks(),
      onError: (error) => void this.#errors.push(error),
      onConflict: onConflict && resolve,
      queue: hasQueues ? ({ name }) => name.split('.')[0]! : undefined,
    };
  }

  /** Opens both tabs, which read all lists. */
  async open(): Promise<void> {
    for (const tab of [0, 1] as const) {
      const page = await this.#open(tab);
      for (const table of TABLES) page.readList(table);
      await this.#settle();
      await page.controller.flush();
    }
  }

  async close(): Promise<void> {
    for (const { controller } of this.#pages) await controller.stop();
  }

  /** Lets something happen; then both tabs must show what is confirmed with what is pending. */
  async happens(event: RefusalEvent): Promise<void> {
    this.#device.now += 1;
    await this.#let(event);
    await turns();
    if (!this.#device.isOnline) {
      this.#device.isOnline = true;
      await turns();
    }
    for (const { controller } of this.#pages) await controller.flush();
    await turns();
    this.#check(event);
  }

  /** Nothing is refused any more, a person discards the rest, and everything is read again. */
  async ends(): Promise<void> {
    for (let round = 0; this.#pages.some(({ entries }) => entries.length > 0); round++) {
      if (round > 30) throw new Error(`Stuck: ${JSON.stringify(this.#pages[0]!.entries)}`);
      await this.#settle();
      for (const entry of this.#pages[0]!.entries)
        if (isDead(entry)) this.#handle('discard', this.#pages[0]!, entry);
      this.#device.pass(2_000);
      await turns();
    }
    for (const table of TABLES) this.#pages[0]!.readList(table);
    await this.#settle();
    this.#check('end');
    for (const page of this.#pages) await page.controller.flush();
    await this.close();
    this.#device.isOnline = false;
    await this.#open(0);
    await this.#open(1);
    this.#check('on disk');
    for (const table of TABLES)
      expect(this.#confirmed.rows(table).map(textOf).sort()).toEqual(
        [...this.#server.tables[table].values()].map(textOf).sort(),
      );
  }

  async #open(tab: Tab): Promise<RefusalPage> {
    for (const request of this.#requests)
      if (request.page === this.#pages[tab]) this.#requests.delete(request);
    const send = (page: RefusalPage, url: string, init: RequestInit): Promise<Response> =>
      new Promise((resolve, reject) => {
        // A page that is gone gets no response.
        if (!this.#pages.includes(page)) return;
        this.#requests.add({
          page,
          method: init.method ?? 'GET',
          ...partsOf(url),
          body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Partial<Row>, // what the page has sent
          key: new Headers(init.headers).get('Idempotency-Key'),
          sentAt: this.#confirmed.tick(),
          resolve,
          reject,
        });
      });
    const page = new RefusalPage(send, this.#shared);
    this.#pages[tab] = page;
    await page.controller.ready;
    await page.controller.restored;
    // In one tab, the queries are on screen.
    if (tab === 0) page.queries.watch();
    return page;
  }

  async #let(event: RefusalEvent): Promise<void> {
    if (event.kind === 'settle') return this.#settle();
    if (event.kind === 'pass') {
      // Reads do not overtake a mutation that takes this long.
      if ([...this.#requests].every(({ method }) => method === 'GET')) this.#device.pass(2_000);
    } else if ('outcome' in event) {
      const request = [...this.#requests].find(({ response }) => response === undefined);
      if (request === undefined) return;
      this.#execute(request, event.outcome);
      if (event.kind === 'answer') await this.#deliver(request);
    } else if (event.kind === 'deliver') {
      const all = [...this.#requests].filter(({ response }) => response !== undefined);
      const request = all[event.nth % all.length];
      if (request !== undefined) await this.#deliver(request);
    } else if (event.kind === 'reload') {
      await this.#pages[event.tab]!.controller.stop();
      await this.#open(event.tab);
    } else if ('isDead' in event) {
      const page = this.#pages[event.tab]!;
      const entries = page.entries.filter((entry) => isDead(entry) === event.isDead);
      const entry = entries[event.nth % entries.length];
      if (entry !== undefined) this.#handle(event.kind, page, entry);
    } else if ('tab' in event) this.#act(event, this.#pages[event.tab]!);
    else if ('table' in event) this.#others(event);
  }

  /** Executes and delivers everything, in order. */
  async #settle(): Promise<void> {
    await turns();
    for (let [request] = this.#requests; request !== undefined; [request] = this.#requests) {
      if (request.response === undefined) this.#execute(request, 'ok');
      await this.#deliver(request);
      await turns();
    }
  }

  #execute(request: RefusalRequest, outcome: Outcome): void {
    const { method, id, body } = request;
    if (method === 'PATCH')
      for (const text of Object.values(body)) expect([text, this.#owners.get(text)]).toEqual([text, id]);
    // A retry after a refusal is another mutation.
    expect(this.#refused).not.toContain(request.key);
    this.#server.execute(request, outcome);
  }

  async #deliver(request: RefusalRequest): Promise<void> {
    const { response, page, method, table, id, key, body, sentAt } = request;
    this.#requests.delete(request);
    if (!(response instanceof Response)) {
      request.reject(response!);
      return;
    }
    const value = (await response
      .clone()
      .json()
      .catch(() => undefined)) as Row | Row[] | undefined; // what the server has sent
    const at = this.#confirmed.tick();
    const entry = page.entries.find(
      ({ status, key }) => status === 'sending' && this.#asked.get(key)!.table === table,
    );
    request.resolve(response.clone());
    if (method === 'GET') {
      if (Array.isArray(value)) this.#confirmed.readList(table, value, sentAt);
      else if (value !== undefined) this.#confirmed.read(table, value, sentAt);
      return;
    }
    if (entry === undefined || key === null) throw new Error('Nothing is being sent');
    const asked = this.#asked.get(entry.key)!;
    // What is gone counts as deleted by an earlier attempt, if there may have been one.
    const isGone =
      method === 'DELETE' && response.status === 404 && (mayBeDone(entry) || asked.firstPage !== page);
    asked.firstPage = undefined;
    if (response.ok || isGone) {
      asked.isOver = true;
      this.#confirmed.done(
        table,
        {
          id,
          body,
          value: value as Row | undefined,
          isCreate: method === 'POST',
          isRemoval: method === 'DELETE',
        },
        sentAt,
        at,
      );
    } else if (response.status < 500) {
      this.#refused.add(key);
      this.#conflicts.set(entry.key, at);
      const isConflict = response.status === 409 || response.status === 412;
      if (isConflict && this.#onConflict === 'discard') return;
      asked.dependents = [...withDependents(entry, page.entries)].map(({ key }) => this.#asked.get(key)!);
    }
  }

  #act(
    event: Extract<
      RefusalEvent,
      { readonly which: number; readonly tab: Tab } | { readonly kind: 'readList' }
    >,
    page: RefusalPage,
  ): void {
    const { kind, table } = event;
    if (kind === 'readList') {
      page.readList(table);
      return;
    }
    const row = nthOf(page.list(table) ?? [], event.which);
    const text = this.#newText();
    if (kind === 'create') {
      const task = table === 'comments' ? nthOf(page.list('tasks') ?? [], event.which) : undefined;
      if (table === 'comments' && task === undefined) return;
      const body = {
        ...(event.hasOwnPk && { id: text }),
        tag: text,
        text,
        title: text,
        ...(task && { task: task.id }),
      };
      this.#ask({ kind, table, tag: text, isOver: false }, page, () => page.create(table, body));
      if (table === 'comments' || !event.hasMore) return;
      const last = { tab: event.tab, which: 0 };
      this.#act({ ...last, kind: 'edit', table, field: 'text' }, page);
      this.#act({ ...event, ...last, table: 'comments' }, page);
      this.#act({ ...last, kind: 'edit', table: 'comments', field: 'title' }, page);
    } else if (row === undefined) return;
    else if (kind === 'readOne') page.readOne(table, row);
    else if (kind === 'remove')
      this.#ask({ kind, table, tag: row.tag, isOver: false }, page, () => page.remove(table, row));
    else if (event.kind === 'edit') {
      this.#owners.set(text, row.tag);
      this.#ask({ kind, table, tag: row.tag, isOver: false }, page, () =>
        page.edit(table, row, { [event.field]: text }),
      );
    }
  }

  #ask(asked: Asked, page: RefusalPage, call: () => Promise<unknown>): void {
    const before = new Set(page.entries.map(({ key }) => key));
    this.#device.isOnline = !this.#isOffline;
    const promise = call();
    const entry = page.entries.find(({ key }) => !before.has(key))!;
    asked.firstPage = page;
    this.#asked.set(entry.key, asked);
    if (asked.kind === 'create') this.#tags.set(entry.temporaryPk, asked.tag);
    promise.catch((error: unknown) => {
      if (asked.dependents === undefined && !asked.isOver) this.#unfounded.push(error);
      // The caller is told of it, so neither it nor what depends on it is kept.
      for (const each of [asked, ...(asked.dependents ?? [])]) each.isOver = true;
    });
  }

  readonly #newText = (): string => `n${(this.#count += 1)}`;

  #others(event: Extract<RefusalEvent, { readonly table: TableName }>): void {
    const { kind, table, which } = event;
    const { tables } = this.#server;
    const row = nthOf([...tables[table].values()], which);
    const text = this.#newText();
    if (kind === 'otherCreate') {
      const task = nthOf([...tables.tasks.keys()], which);
      if (table === 'comments' && task === undefined) return;
      this.#server.put(table, {
        id: text,
        tag: text,
        text,
        title: text,
        ...(table === 'comments' && { task: task! }),
      });
    } else if (row === undefined) return;
    else if (kind === 'otherRemove') tables[table].delete(row.id);
    else if (kind === 'otherEdit') this.#server.put(table, { ...row, [event.field]: text });
  }

  /** What a person does with an entry that no tab is sending. */
  #handle(
    kind: 'retry' | 'discard' | 'change' | 'mine' | 'theirs',
    page: RefusalPage,
    entry: OutboxEntry,
  ): void {
    const { key, args } = entry;
    if (this.#pages.some(({ box }) => box.status.get().sending.some((sent) => sent.key === key))) return;
    const { box, entries } = page;
    const asked = this.#asked.get(key)!;
    if (kind === 'retry') box.retry(key);
    else if (kind === 'discard') {
      for (const dependent of withDependents(entry, entries)) this.#asked.get(dependent.key)!.isOver = true;
      expect(box.discard(key)).toBe(true);
    } else if (kind === 'change') {
      // What was created, although its response was lost, would be created twice.
      if (asked.kind === 'remove' || (asked.kind === 'create' && entry.attempts > 0)) return;
      const text = this.#newText();
      this.#owners.set(text, asked.tag);
      const body = args.at(-1) as Partial<Row>; // of a creation or an edit
      const changed = { ...body, [body.text === undefined ? 'title' : 'text']: text };
      expect(box.edit(key, [...args.slice(0, -1), changed])).toBe(true);
    } else if (entry.status === 'conflict') {
      if (kind === 'theirs') {
        asked.isOver = true;
        this.#mayBeOrphans = true;
        if (entry.theirs) this.#confirmed.read(asked.table, entry.theirs as Row, this.#conflicts.get(key)!);
      }
      expect(box.resolve(key, kind)).toBe(true);
    }
  }

  #check(event: unknown): void {
    const [first, second] = this.#pages.map(({ entries }) =>
      entries.map((entry) => [entry.key, isDead(entry), entry.args, entry.attempts]),
    );
    expect({ event, entries: second }).toEqual({ event, entries: first });
    const { entries } = this.#pages[0]!;
    const keys = new Set(entries.map(({ key }) => key));
    const lost = [...this.#asked].filter(([key, { isOver }]) => !isOver && !keys.has(key));
    const undead = [...this.#asked].filter(([key, { isOver }]) => isOver && keys.has(key));
    expect({ event, lost, undead }).toEqual({ event, lost: [], undead: [] });
    const expected = TABLES.map((table) => this.#expected(table, entries));
    for (const [tab, page] of this.#pages.entries()) {
      const shown = TABLES.map((table) => this.#texts(page.list(table) ?? []));
      expect({ event, tab, shown }).toEqual({ event, tab, shown: expected });
      page.queries.check({ event, tab });
    }
    const problems = [...this.#errors, ...this.#unfounded];
    expect(this.#mayBeOrphans ? problems.filter((error) => !isOfOrphan(error)) : problems).toEqual([]);
  }

  /** What is confirmed, and on top of it what is pending, without what depends on a dead letter. */
  #expected(table: TableName, entries: readonly OutboxEntry[]): readonly string[] {
    const hidden = new Set(entries.filter(isDead).flatMap((dead) => [...withDependents(dead, entries)]));
    const rows = new Map(this.#confirmed.rows(table).map((row) => [row.id, row]));
    for (const entry of entries) {
      const asked = this.#asked.get(entry.key)!;
      if (asked.table !== table || hidden.has(entry)) continue;
      const body = entry.args.at(-1) as Partial<Row>; // of a creation or an edit
      const { id = '' } = entry.args[0] as Partial<Row>; // its params
      const row = rows.get(id);
      if (asked.kind === 'create') {
        const pk = body.id ?? entry.temporaryPk;
        rows.set(pk, { ...(body as Row), id: pk });
      } else if (asked.kind === 'remove') rows.delete(id);
      else if (row !== undefined) rows.set(id, { ...row, ...body });
    }
    return this.#texts([...rows.values()]);
  }

  #texts(rows: readonly Row[]): readonly string[] {
    const tag = (task: string): string => this.#tags.get(task) ?? task;
    return rows
      .map((row) => textOf({ ...row, ...(row.task !== undefined && { task: tag(row.task) }) }))
      .sort();
  }
}
