import {
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  type HoldfastError,
  type RestEndpointOptions,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import type { OutboxEntry, OutboxOptions } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { OutboxPluginImpl } from '../../plugins/outbox/outbox.ts';
import type { Device } from '../support/outbox.ts';
import type { DeviceLocks } from './MortalPage.ts';
import { RefusalQueries } from './RefusalQueries.ts';

/** A task, or a comment on one. */
export interface Row {
  readonly id: string;
  /** The same before and after the server has assigned the pk. */
  readonly tag: string;
  readonly text: string;
  readonly title: string;
  /** The task of a comment. */
  readonly task?: string;
}

export const TABLES = ['tasks', 'comments'] as const;
export type TableName = (typeof TABLES)[number];

export const ORIGIN = 'https://example.com';

class PlainComment extends Entity {
  id = '';
  tag = '';
  text = '';
  title = '';
  task = '';
  static override key = 'Comment';
}

/** What the pages share. */
export interface RefusalDevice {
  readonly device: Device;
  readonly locks: DeviceLocks;
  readonly onError: (error: HoldfastError) => void;
  readonly onConflict: OutboxOptions['onConflict'];
  readonly queue: OutboxOptions['queue'];
}

export type Send = (page: RefusalPage, url: string, init: RequestInit) => Promise<Response>;

/** A page of the app, with endpoints of its own: a reload evaluates the modules again. */
export class RefusalPage {
  readonly controller: Controller;
  readonly box: OutboxPluginImpl;
  readonly queries: RefusalQueries;
  readonly #resources;

  constructor(send: Send, { device, locks, onError, onConflict, queue }: RefusalDevice) {
    this.#resources = this.#makeResources((url, init) => send(this, url, init));
    const box = {
      endpoints: Object.values(this.#resources),
      timeout: Infinity,
      random: () => 0.5,
      onError,
      ...(onConflict && { onConflict }),
      ...(queue && { queue }),
    };
    this.box = new OutboxPluginImpl(box, { locks });
    this.controller = new Controller({
      plugins: [
        indexedDB({ name: 'refusals', persist: 'all', onError }),
        this.box,
        tabs({ name: 'refusals' }),
      ],
      environment: device,
      schedule: device.schedule,
      now: () => device.now,
    });
    this.queries = new RefusalQueries(this.controller);
  }

  #makeResources(send: (url: string, init: RequestInit) => Promise<Response>) {
    class Task extends Entity {
      id = '';
      tag = '';
      text = '';
      title = '';
      static override key = 'Task';
    }
    class Remark extends Entity {
      id = '';
      tag = '';
      text = '';
      title = '';
      task: Task | null = null;
      static override key = 'Comment';
      static override schema = { task: Task };
    }
    class Sending<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override fetchResponse(url: string, init: RequestInit): Promise<Response> {
        return send(url, init);
      }
    }
    const common = {
      urlPrefix: ORIGIN,
      optimistic: true,
      Endpoint: Sending,
      dataExpiryLength: Infinity,
    } as const;
    return {
      tasks: createResource({ ...common, path: '/tasks/:id', schema: Task }),
      comments: createResource({ ...common, path: '/comments/:id', schema: Remark }),
    };
  }

  list(table: TableName): readonly Row[] | undefined {
    const list: readonly { readonly id: string }[] | undefined = this.controller.getResponse(
      this.#resources[table].getList,
    ).data;
    // With the pk of the task, also if that was deleted.
    if (table === 'comments') return list?.map(({ id }) => this.controller.get(PlainComment, { id })!);
    return list as readonly Row[] | undefined; // of tasks
  }

  get entries(): readonly OutboxEntry[] {
    return this.box.status.get().entries;
  }

  readList(table: TableName): void {
    this.controller.fetch(this.#resources[table].getList).catch(() => undefined);
  }

  readOne(table: TableName, { id }: Row): void {
    this.controller.fetch(this.#resources[table].get, { id }).catch(() => undefined);
  }

  create(table: TableName, body: Partial<Row>): Promise<unknown> {
    return this.controller.fetch(this.#resources[table].create, body);
  }

  edit(table: TableName, { id }: Row, body: Partial<Row>): Promise<unknown> {
    return this.controller.fetch(this.#resources[table].partialUpdate, { id }, body);
  }

  remove(table: TableName, { id }: Row): Promise<unknown> {
    return this.controller.fetch(this.#resources[table].delete, { id });
  }
}
