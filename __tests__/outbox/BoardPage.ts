import {
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  type HoldfastError,
  type RestEndpointOptions,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { OutboxPluginImpl } from '../../plugins/outbox/outbox.ts';
import { settled } from '../support/held.ts';
import type { Device } from '../support/outbox.ts';
import type { DeviceLocks } from './MortalPage.ts';

export interface Row {
  readonly id: string;
  /** The same before and after the server has assigned the pk. */
  readonly tag: string;
}

export interface Task extends Row {
  readonly text: string;
  readonly column: string;
}

/** The tasks of all columns have no name. */
export type ListName = string | undefined;

export const ORIGIN = 'https://example.com';
/** For the types of a list's params. */
const LISTED: { readonly column?: string } = {};

/** A page of the app, with endpoints of its own: a reload evaluates the modules again. */
export class BoardPage {
  readonly controller: Controller;
  /** What it has read. */
  readonly lists: Set<ListName>;
  readonly #resources;

  constructor(
    lists: ReadonlySet<ListName>,
    send: (page: BoardPage, url: string, init: RequestInit) => Promise<Response>,
    { device, locks, onError, dataExpiryLength }: BoardDevice,
  ) {
    this.lists = new Set(lists);
    this.#resources = this.#makeResources((url, init) => send(this, url, init), dataExpiryLength);
    const { tasks, columns } = this.#resources;
    const box = { endpoints: [tasks, columns], timeout: Infinity, random: () => 0.5, onError };
    this.controller = new Controller({
      plugins: [
        indexedDB({ name: 'board', persist: 'all', onError }),
        new OutboxPluginImpl(box, { locks }),
        tabs({ name: 'board' }),
      ],
      environment: device,
      schedule: device.schedule,
      now: () => device.now,
      gcTime: 1_000,
    });
  }

  #makeResources(send: (url: string, init: RequestInit) => Promise<Response>, dataExpiryLength: number) {
    class TaskInColumn extends Entity {
      id = '';
      tag = '';
      text = '';
      column = '';
      static override key = 'Task';
    }
    class BoardColumn extends Entity {
      id = '';
      tag = '';
      static override key = 'Column';
    }
    class Sending<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override fetchResponse(url: string, init: RequestInit): Promise<Response> {
        return send(url, init);
      }
    }
    const common = { urlPrefix: ORIGIN, optimistic: true, Endpoint: Sending, dataExpiryLength } as const;
    return {
      tasks: createResource({
        ...common,
        path: '/tasks/:id',
        schema: TaskInColumn,
        searchParams: LISTED,
      }),
      columns: createResource({ ...common, path: '/columns/:id', schema: BoardColumn }),
    };
  }

  get columns(): readonly Row[] {
    return this.controller.getResponse(this.#resources.columns.getList).data ?? [];
  }

  list(name: ListName): readonly Task[] | undefined {
    return this.controller.getResponse(...this.#listArgs(name)).data;
  }

  /** The tasks in any of its lists. */
  get tasks(): readonly Task[] {
    const byTag = new Map<string, Task>();
    for (const name of this.lists) for (const task of this.list(name) ?? []) byTag.set(task.tag, task);
    return [...byTag.values()];
  }

  readColumns(): void {
    ignore(this.controller.fetch(this.#resources.columns.getList));
  }

  readList(name: ListName): void {
    ignore(this.controller.fetch(...this.#listArgs(name)));
  }

  readTask({ id }: Task): void {
    ignore(this.controller.fetch(this.#resources.tasks.get, { id }));
  }

  createColumn(column: Partial<Row>): void {
    ignore(this.controller.fetch(this.#resources.columns.create, column));
  }

  createTask(task: Partial<Task>): void {
    ignore(this.controller.fetch(this.#resources.tasks.create, task));
  }

  edit({ id }: Task, text: string): void {
    ignore(this.controller.fetch(this.#resources.tasks.partialUpdate, { id }, { text }));
  }

  move({ id }: Task, column: string): void {
    ignore(this.controller.fetch(this.#resources.tasks.getList.move, { id }, { column }));
  }

  remove({ id }: Task): void {
    ignore(this.controller.fetch(this.#resources.tasks.delete, { id }));
  }

  /** Mounts its lists, and unmounts them. */
  leaveLists(): void {
    for (const name of this.lists) this.controller.watch(...this.#listArgs(name), () => undefined)();
  }

  /** Mounts its lists again, which have been dropped from memory. */
  async showLists(): Promise<void> {
    for (const name of this.lists) {
      if (this.list(name) !== undefined) continue;
      ignore(Promise.resolve(this.controller.fetchIfStale(...this.#listArgs(name))));
      for (let turn = 0; turn < 300 && this.list(name) === undefined; turn++) await settled();
    }
  }

  #listArgs(column: ListName) {
    return [this.#resources.tasks.getList, column === undefined ? {} : { column }] as const;
  }
}

/** What the pages share. */
export interface BoardDevice {
  readonly device: Device;
  readonly locks: DeviceLocks;
  readonly onError: (error: HoldfastError) => void;
  /** How long data is fresh, in ms. */
  readonly dataExpiryLength: number;
}

function ignore(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
