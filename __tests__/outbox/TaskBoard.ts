import { expect } from '@jest/globals';
import { NetworkError, type HoldfastError } from 'holdfast';
import { Device } from '../support/outbox.ts';
import { turns } from '../support/turns.ts';
import { BoardPage, ORIGIN, type BoardDevice, type ListName, type Row, type Task } from './BoardPage.ts';
import { DeviceLocks } from './MortalPage.ts';

type Tab = 0 | 1;

/** What a person does in one of two tabs, and what becomes of the requests. */
export type BoardEvent =
  | { readonly kind: 'readList'; readonly tab: Tab; readonly column: number | undefined }
  | { readonly kind: 'readTask' | 'edit' | 'remove'; readonly tab: Tab; readonly which: number }
  | { readonly kind: 'move'; readonly tab: Tab; readonly which: number; readonly column: number }
  | { readonly kind: 'createTask'; readonly tab: Tab; readonly column: number; readonly hasOwnPk: boolean }
  | { readonly kind: 'createColumn'; readonly tab: Tab; readonly hasOwnPk: boolean }
  /** The server executes a request, the response arrives, or it is lost. */
  | { readonly kind: 'execute' | 'respond' | 'lose'; readonly nth: number }
  | { readonly kind: 'settle' }
  /** What is not mounted is dropped from memory, or the page is reloaded. */
  | { readonly kind: 'collect' | 'reload'; readonly tab: Tab };

/** How the server and the app are made. */
export interface BoardSetting {
  /** Whether the response to a change is the task, rather than a 204. */
  readonly respondsWithData: boolean;
  /** How long data is fresh, in ms. */
  readonly dataExpiryLength: number;
}

/** A request on its way. */
interface BoardRequest {
  readonly page: BoardPage;
  readonly method: string;
  readonly path: string;
  readonly body: Task;
  readonly key: string | null;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
  /** Undefined until the server has executed it. */
  response?: Response;
}

/** Tasks in columns, in two tabs, and a server that nobody else uses. */
export class TaskBoard {
  readonly #device = new Device();
  readonly #shared: BoardDevice;
  readonly #respondsWithData: boolean;
  readonly #pages: BoardPage[] = [];
  readonly #errors: HoldfastError[] = [];
  /** What the server has, by pk. */
  readonly #columns = new Map<string, Row>(['x', 'y'].map((id) => [id, { id, tag: id }]));
  readonly #tasks = new Map<string, Task>();
  readonly #responses = new Map<string, Response>();
  readonly #requests = new Set<BoardRequest>();
  /** What was asked for, and must be on screen: by tag, with the tags of columns. */
  readonly #expected = new Map<string, Task>();
  readonly #expectedColumns = ['x', 'y'];
  #count = 0;

  constructor({ respondsWithData, dataExpiryLength }: BoardSetting) {
    this.#respondsWithData = respondsWithData;
    this.#shared = {
      device: this.#device,
      locks: new DeviceLocks(),
      onError: (error) => void this.#errors.push(error),
      dataExpiryLength,
    };
    for (const [id, column] of [
      ['a', 'x'],
      ['b', 'y'],
    ] as const) {
      const task = { id, tag: id, text: id, column };
      this.#tasks.set(id, task);
      this.#expected.set(id, task);
    }
  }

  /** Opens both tabs. */
  async open(): Promise<void> {
    for (const tab of [0, 1] as const) {
      const page = await this.#open(tab);
      page.readColumns();
      for (const name of [undefined, 'x']) page.readList(name);
      await this.#settle();
      await page.controller.flush();
    }
  }

  async close(): Promise<void> {
    for (const { controller } of this.#pages) await controller.stop();
  }

  /** Lets something happen; then both tabs must show what was asked for. */
  async happens(event: BoardEvent): Promise<void> {
    this.#device.now += 1;
    if (event.kind === 'settle') await this.#settle();
    else if ('nth' in event) this.#goOn(event);
    else if (event.kind === 'reload') {
      const { controller, lists } = this.#pages[event.tab]!;
      await controller.stop();
      await this.#open(event.tab, lists);
    } else if (event.kind === 'collect') {
      // A mount shares the request that is in flight, and does not read the disk as well.
      await this.#settle();
      this.#pages[event.tab]!.leaveLists();
      this.#device.pass(5_000);
    } else this.#act(event, this.#pages[event.tab]!);
    await turns();
    for (const { controller } of this.#pages) await controller.flush();
    await turns();
    for (const page of this.#pages) await page.showLists();
    this.#check(event);
  }

  /** Everything is sent and answered in the end, and the server has what is on screen. */
  async ends(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await this.#settle();
      this.#device.pass(60_000);
      await turns();
    }
    for (const page of this.#pages) await page.showLists();
    this.#check('end');
    expect([...this.#tasks.values()].map(textOf).sort()).toEqual(this.#expectedIn(undefined));
  }

  async #open(tab: Tab, lists: ReadonlySet<ListName> = new Set()): Promise<BoardPage> {
    for (const request of this.#requests)
      if (request.page === this.#pages[tab]) this.#requests.delete(request);
    const send = (page: BoardPage, url: string, init: RequestInit): Promise<Response> =>
      new Promise((resolve, reject) => {
        this.#requests.add({
          page,
          method: init.method ?? 'GET',
          path: url.slice(ORIGIN.length),
          body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Task, // what the page has sent
          key: new Headers(init.headers).get('Idempotency-Key'),
          resolve,
          reject,
        });
      });
    const page = new BoardPage(lists, send, this.#shared);
    this.#pages[tab] = page;
    await page.controller.ready;
    await page.controller.restored;
    await page.showLists();
    return page;
  }

  /** Executes and answers everything, in order. */
  async #settle(): Promise<void> {
    await turns();
    for (let [request] = this.#requests; request !== undefined; [request] = this.#requests) {
      request.response ??= this.#execute(request);
      this.#end(request);
      await turns();
    }
  }

  #goOn({ kind, nth }: Extract<BoardEvent, { readonly nth: number }>): void {
    const isExecuted = kind !== 'execute';
    const all = [...this.#requests].filter(({ response }) => (response !== undefined) === isExecuted);
    const request = all[nth % all.length];
    if (request === undefined) return;
    if (isExecuted) this.#end(request, kind === 'lose');
    else {
      request.response = this.#execute(request);
      // A list that is read in between would show what was created twice, under both pks.
      if (request.method === 'POST') this.#end(request);
    }
  }

  #end(request: BoardRequest, isLost = false): void {
    const { page, method, path, response, resolve, reject } = request;
    this.#requests.delete(request);
    if (isLost) reject(new NetworkError('No connection', { status: 0, url: path, method }));
    else if (response !== undefined) resolve(response);
    const url = new URL(path, ORIGIN);
    if (!isLost && method === 'GET' && url.pathname === '/tasks')
      page.lists.add(url.searchParams.get('column') ?? undefined);
  }

  #execute(request: BoardRequest): Response {
    const { method, key } = request;
    if (method === 'GET' || key === null) return this.#answer(request);
    const response = this.#responses.get(key) ?? this.#answer(request);
    this.#responses.set(key, response);
    return response.clone();
  }

  #answer({ method, path, body }: BoardRequest): Response {
    const { pathname, searchParams } = new URL(path, ORIGIN);
    const [, table, id] = pathname.split('/');
    const rows: Map<string, Row> = table === 'tasks' ? this.#tasks : this.#columns;
    if (method === 'POST') {
      const row = { ...body, id: body.tag };
      rows.set(row.id, row);
      return Response.json(row, { status: 201 });
    }
    if (id === undefined) {
      const column = searchParams.get('column');
      const isListed = (row: Row): boolean => column === null || (row as Task).column === column; // a list of tasks
      return Response.json([...rows.values()].filter(isListed));
    }
    const row = rows.get(id);
    if (row === undefined) return new Response(null, { status: 404 });
    if (method === 'GET') return Response.json(row);
    const changed = { ...row, ...body };
    if (method === 'DELETE') rows.delete(id);
    else rows.set(id, changed);
    return this.#respondsWithData ? Response.json(changed) : new Response(null, { status: 204 });
  }

  #act(event: Extract<BoardEvent, { readonly tab: Tab }>, page: BoardPage): void {
    const column =
      'column' in event && event.column !== undefined
        ? page.columns[event.column % page.columns.length]
        : undefined;
    const task = 'which' in event ? page.tasks[event.which % page.tasks.length] : undefined;
    const hasOwnPk = 'hasOwnPk' in event && event.hasOwnPk;
    const tag = `n${(this.#count += 1)}`;
    const ownPk = hasOwnPk ? { id: tag } : {};
    if (event.kind === 'readList') {
      // What the server does not have yet cannot be read.
      if (column === undefined || this.#columns.has(column.id)) page.readList(column?.id);
    } else if (event.kind === 'createColumn') {
      this.#expectedColumns.push(tag);
      page.createColumn({ ...ownPk, tag });
    } else if (event.kind === 'createTask' && column !== undefined) {
      this.#expected.set(tag, { id: tag, tag, text: tag, column: column.tag });
      page.createTask({ ...ownPk, tag, text: tag, column: column.id });
    } else if (task === undefined) return;
    else if (event.kind === 'readTask') {
      if (this.#tasks.has(task.id)) page.readTask(task);
    } else if (event.kind === 'remove') {
      this.#expected.delete(task.tag);
      page.remove(task);
    } else {
      const before = this.#expected.get(task.tag)!;
      if (event.kind === 'edit') {
        this.#expected.set(task.tag, { ...before, text: tag });
        page.edit(task, tag);
      } else if (column !== undefined) {
        this.#expected.set(task.tag, { ...before, column: column.tag });
        page.move(task, column.id);
      }
    }
  }

  #expectedIn(list: ListName): readonly string[] {
    const tasks = [...this.#expected.values()].filter(({ column }) => list === undefined || column === list);
    return tasks.map(textOf).sort();
  }

  #check(event: unknown): void {
    for (const [tab, page] of this.#pages.entries()) {
      const columns = new Map(page.columns.map(({ id, tag }) => [id, tag]));
      const shown = [...page.lists].map((name) => [
        name,
        page
          .list(name)
          ?.map((task) => textOf({ ...task, column: columns.get(task.column) ?? '' }))
          .sort(),
      ]);
      const expected = [...page.lists].map((name) => [name, this.#expectedIn(name)]);
      expect({ event, tab, shown, columns: [...columns.values()].sort() }).toEqual({
        event,
        tab,
        shown: expected,
        columns: [...this.#expectedColumns].sort(),
      });
    }
    expect(this.#errors).toEqual([]);
  }
}

function textOf({ tag, text, column }: Task): string {
  return `${tag} "${text}" in ${column}`;
}
