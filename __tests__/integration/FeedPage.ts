import {
  Collection,
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  type HoldfastError,
  type Plugin,
  type RestEndpointOptions,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { OutboxPluginImpl } from '../../plugins/outbox/outbox.ts';
import type { DeviceLocks } from '../outbox/MortalPage.ts';
import type { Device } from '../support/outbox.ts';
import type { FeedItem, PageStyle, Status } from './FeedServer.ts';

export const ORIGIN = 'https://example.com';
/** How many items a page has. */
export const LIMIT = 3;

/** The lists that the app shows. */
export const LISTS = ['all', 'open', 'closed', 'openReverse'] as const;
export type ListName = (typeof LISTS)[number];

interface ListParams {
  readonly limit: number;
  readonly status?: Status;
  readonly sort?: string;
}

export const PARAMS: Readonly<Record<ListName, ListParams>> = {
  all: { limit: LIMIT },
  open: { limit: LIMIT, status: 'open' },
  closed: { limit: LIMIT, status: 'closed' },
  openReverse: { limit: LIMIT, status: 'open', sort: '-rank' },
};

export interface FeedSetting {
  readonly style: PageStyle;
  readonly isOptimistic: boolean;
  /** Whether the response to a change is the item, rather than a 204. */
  readonly respondsWithData: boolean;
  /** How long data is fresh, in ms. */
  readonly dataExpiryLength: number;
  readonly withDisk: boolean;
  readonly withOutbox: boolean;
  readonly tabs: 1 | 2;
}

/** What the tabs share. */
export interface FeedDevice {
  readonly device: Device;
  readonly locks: DeviceLocks;
  readonly onError: (error: HoldfastError) => void;
}

/** For the types of a list's params. */
const LISTED: Partial<ListParams> = {};

interface Feed {
  readonly items: readonly FeedItem[];
  readonly next?: string | null;
  readonly total?: number;
}

/** A page of the app. Its endpoints are its own: a reload evaluates the modules again. */
export class FeedPage {
  readonly controller: Controller;
  readonly screens = new Map<ListName, () => void>();
  /** The screens that show an error. */
  readonly failed = new Set<ListName>();
  readonly #resource;
  readonly #style: PageStyle;

  constructor(
    send: (page: FeedPage, url: string, init: RequestInit) => Promise<Response>,
    setting: FeedSetting,
    { device, locks, onError }: FeedDevice,
  ) {
    this.#style = setting.style;
    this.#resource = this.#makeResource((url, init) => send(this, url, init), setting);
    const box = { endpoints: [this.#resource], timeout: Infinity, random: () => 0.5, onError };
    const plugins: Plugin[] = [];
    if (setting.withDisk) plugins.push(indexedDB({ name: 'feed', persist: 'all', onError }));
    if (setting.withOutbox) plugins.push(new OutboxPluginImpl(box, { locks }));
    if (setting.tabs > 1) plugins.push(tabs({ name: 'feed' }));
    this.controller = new Controller({
      plugins,
      environment: device,
      schedule: device.schedule,
      now: () => device.now,
      gcTime: 1_000,
    });
  }

  #makeResource(send: (url: string, init: RequestInit) => Promise<Response>, setting: FeedSetting) {
    class Item extends Entity {
      id: string | number = '';
      tag = '';
      title = '';
      status: Status = 'open';
      rank = 0;
      static override key = 'Item';
    }
    class Sending<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override fetchResponse(url: string, init: RequestInit): Promise<Response> {
        return send(url, init);
      }
    }
    const { style, isOptimistic, dataExpiryLength } = setting;
    const schema =
      style === 'offset'
        ? { items: new Collection([Item]), total: 0 }
        : { items: new Collection([Item]), next: '' };
    // A `move` inherits it, and its response may be empty.
    const process = (response: Feed | null): Feed | null =>
      style === 'page' && response?.next
        ? { ...response, next: new URL(response.next).searchParams.get('page') }
        : response;
    return createResource({
      urlPrefix: ORIGIN,
      path: '/items/:id',
      schema: Item,
      searchParams: LISTED,
      paginationField: style,
      optimistic: isOptimistic,
      dataExpiryLength,
      Endpoint: Sending,
    }).extend((base) => ({ getList: base.getList.extend({ schema, process }) }));
  }

  /** What the app reads. */
  feed(list: ListName): Feed | undefined {
    return this.controller.getResponse(...this.#args(list)).data;
  }

  /** Shows a list, as a component with `useSuspense` does. */
  mount(list: ListName): void {
    if (this.screens.has(list)) return;
    const read = (): void => {
      // What was invalidated meanwhile is not the response that the screen waits for.
      const readAgain = (): void => {
        if (this.screens.has(list) && this.feed(list) === undefined) read();
      };
      this.failed.delete(list);
      Promise.resolve(this.controller.fetchIfStale(...this.#args(list))).then(readAgain, () =>
        this.failed.add(list),
      );
    };
    this.screens.set(
      list,
      this.controller.watch(...this.#args(list), (data) => {
        if (data === undefined) read();
      }),
    );
    read();
  }

  unmount(list: ListName): void {
    this.screens.get(list)?.();
    this.screens.delete(list);
  }

  refetch(list: ListName): Promise<unknown> {
    return quiet(this.controller.fetch(...this.#args(list)));
  }

  readIfStale(list: ListName): void {
    ignore(this.controller.fetchIfStale(...this.#args(list)));
  }

  /** The page after the ones that are shown; undefined where there is none. */
  next(list: ListName): string | number | undefined {
    const feed = this.feed(list);
    if (feed === undefined) return undefined;
    if (this.#style !== 'offset') return feed.next === '' ? undefined : (feed.next ?? undefined);
    return feed.items.length < (feed.total ?? 0) ? feed.items.length : undefined;
  }

  more(list: ListName): void {
    const next = this.next(list);
    if (next !== undefined) this.getPage(list, next);
  }

  getPage(list: ListName, at: string | number): void {
    const { getPage } = this.#resource.getList;
    ignore(this.controller.fetch(getPage, { ...PARAMS[list], [this.#style]: at } as never));
  }

  invalidate(list: ListName): void {
    this.controller.invalidate(...this.#args(list));
  }

  create(item: Pick<FeedItem, 'tag' | 'title' | 'status'>, isFirst: boolean): void {
    const { create, getList } = this.#resource;
    ignore(this.controller.fetch((isFirst ? getList.unshift : create) as typeof create, item));
  }

  edit(id: string, title: string): void {
    ignore(this.controller.fetch(this.#resource.partialUpdate, { id }, { title }));
  }

  move(id: string, status: Status, title: string): void {
    ignore(this.controller.fetch(this.#resource.getList.move, { id }, { status, title }));
  }

  remove(id: string): void {
    ignore(this.controller.fetch(this.#resource.delete, { id }));
  }

  #args(list: ListName) {
    return [this.#resource.getList, PARAMS[list]] as const;
  }
}

function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function ignore(promise: unknown): void {
  void quiet(Promise.resolve(promise));
}
