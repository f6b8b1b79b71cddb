import {
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  type HoldfastError,
  type RestEndpointOptions,
} from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { OutboxPluginImpl } from '../../plugins/outbox/outbox.ts';
import type { OutboxEntry } from 'holdfast/outbox';
import { PATIENT, Process } from '../indexeddb/mortal.ts';
import { withChannelsOf, type DeviceLocks } from '../outbox/MortalPage.ts';
import { settled } from '../support/held.ts';
import type { Device } from '../support/outbox.ts';
import { codecOf, migrateTo, type Release } from './Release.ts';

const ORIGIN = 'https://example.com';

/** What the pages of one device share. */
export interface DeploymentDevice {
  readonly device: Device;
  readonly locks: DeviceLocks;
  readonly send: (release: Release, path: string, init: RequestInit) => Promise<Response>;
  readonly onError: (error: HoldfastError, release: Release) => void;
}

/** A note as the app shows it. */
export interface ShownNote {
  readonly tag: string;
  /** Empty where the row lacks the field of the release. */
  readonly text: string;
  readonly pk: string;
}

/** A page of one release of the app. It may be killed. */
export class DeploymentPage {
  readonly release: Release;
  readonly controller: Controller;
  readonly box: OutboxPluginImpl;
  readonly #notes: ReturnType<typeof makeNotes>;
  readonly #process: Process;
  readonly #unloadListeners: ((event: Event) => void)[] = [];
  #unmount: (() => void) | undefined;

  constructor(release: Release, { device, locks, send, onError: report }: DeploymentDevice) {
    this.release = release;
    const { version, talksWithAll, isScoped, maxRows, isWithoutNotes } = release;
    const scope = isScoped ? { scope: 'ada' } : {};
    const migrate = migrateTo(release);
    const codec = codecOf(release);
    const onError = (error: HoldfastError): void => (process.isDead ? undefined : report(error, release));
    const process = new Process(new IdbStorage(isScoped ? 'notes:ada' : 'notes', PATIENT), Infinity);
    this.#process = process;
    this.#notes = makeNotes(release, (path, init) =>
      process.isDead ? new Promise(() => undefined) : send(release, path, init),
    );
    const endpoints = isWithoutNotes ? [makeOther()] : [this.#notes];
    const box = { endpoints, timeout: Infinity, random: () => 0.5, onError, ...scope };
    const disk = { name: 'notes', persist: 'all' as const, version, maxRows, onError, ...scope };
    const own = {
      request: (name: string, run: () => Promise<void>) =>
        locks.request(name, () =>
          process.isDead ? Promise.resolve() : Promise.race([run(), process.death]),
        ),
    };
    this.box = new OutboxPluginImpl(box, { locks: own });
    const { addEventListener } = globalThis;
    globalThis.addEventListener = (type: string, listener: unknown) => {
      if (type === 'pagehide') this.#unloadListeners.push(listener as (event: Event) => void); // as the library passes them
    };
    const open = (): Controller =>
      new Controller({
        plugins: [
          new IndexedDBPluginImpl(
            { ...disk, ...(migrate && { migrate }), ...(codec && { codec }) },
            { storage: process.storage, compactAt: { records: 4, rows: 8 } },
          ),
          this.box,
          tabs({ name: 'notes', ...(!talksWithAll && { version }), ...scope }),
        ],
        environment: device,
        schedule: (run, delay) => device.schedule(() => (process.isDead ? undefined : run()), delay),
        now: () => device.now,
        gcTime: 1_000,
      });
    this.controller = withChannelsOf(process, open);
    globalThis.addEventListener = addEventListener;
  }

  /** Resolves when it has started, or died. */
  get started(): Promise<unknown> {
    return Promise.race([this.controller.restored, this.#process.death]);
  }

  get isDead(): boolean {
    return this.#process.isDead;
  }

  /** What its list shows. */
  get notes(): readonly ShownNote[] {
    if (this.release.isWithoutNotes) return [];
    const data = this.controller.getResponse(this.#notes.getList).data as
      | readonly Row[]
      | { readonly items: readonly Row[] }
      | undefined; // by the release's schema
    const rows = data === undefined ? [] : 'items' in data ? data.items : data;
    return rows.map((row) => ({ tag: row.tag, text: row[this.release.field], pk: row[this.release.pk] }));
  }

  read(): Promise<unknown> {
    if (this.release.isWithoutNotes) return Promise.resolve();
    return this.controller.fetch(this.#notes.getList);
  }

  /** Mounts the list, or unmounts it. */
  toggle(): void {
    if (this.release.isWithoutNotes) return;
    if (this.#unmount !== undefined) {
      this.#unmount();
      this.#unmount = undefined;
      return;
    }
    const getList = this.#notes.getList;
    this.#unmount = this.controller.watch(getList, () => undefined);
    Promise.resolve(this.controller.fetchIfStale(getList)).catch(() => undefined);
  }

  create(tag: string, text: string): Promise<unknown> {
    return this.controller.fetch(this.#notes.create, {
      tag,
      [this.release.field]: text,
    });
  }

  edit({ pk }: ShownNote, text: string): Promise<unknown> {
    return this.controller.fetch(this.#notes.partialUpdate, this.#params(pk), {
      [this.release.field]: text,
    });
  }

  remove({ pk }: ShownNote): Promise<unknown> {
    return this.controller.fetch(this.#notes.delete, this.#params(pk));
  }

  /** The params of a path, which has the one of the release. */
  #params(pk: string): Record<Release['pk'], string> {
    return { [this.release.pk]: pk } as Record<Release['pk'], string>; // see above
  }

  get entries(): readonly OutboxEntry[] {
    return this.box.status.get().entries;
  }

  /** What an entry was called for, as the server names it. */
  nameOf({ name, args }: OutboxEntry): string {
    const last = Object(args.at(-1)) as Readonly<Record<string, string>>; // as called below
    const text = last['text'] ?? last['title'];
    if (name.endsWith('.create')) return `create ${last['tag']}`;
    if (!name.endsWith('.delete')) return `edit ${text}`;
    const pk = last['id'] ?? last['slug'] ?? '';
    const creator = this.entries.find(({ temporaryPk }) => temporaryPk === pk);
    const created = creator?.args.at(-1) as { readonly tag: string } | undefined; // as called above
    return `remove ${created?.tag ?? pk.replace(/^s-/, '')}`;
  }

  /** The page is left, and dies after so many more steps of its storage. */
  unload(steps: number): void {
    for (const listener of this.#unloadListeners) listener(new Event('pagehide'));
    if (steps === 0) this.#process.kill();
    else this.#process.dieAfter(steps);
  }

  kill(): void {
    this.#process.kill();
  }

  async close(): Promise<void> {
    this.#unmount?.();
    // It rejects if a newer release has locked it out.
    await Promise.race([this.controller.stop().catch(() => undefined), this.#process.death]);
    for (let turn = 0; turn < 5; turn++) await settled();
  }
}

interface Row {
  readonly id: string;
  readonly slug: string;
  readonly tag: string;
  readonly text: string;
  readonly title: string;
}

/** Endpoints of their own for each page: a reload evaluates the modules again. */
function makeNotes(release: Release, send: (path: string, init: RequestInit) => Promise<Response>) {
  const { field, table, hasDate, list } = release;
  /** Accepts what earlier releases have queued; they cannot know what later ones do. */
  const converted = (value: unknown): unknown => {
    if (field === 'text' || typeof value !== 'object' || value === null || !Object.hasOwn(value, 'text'))
      return value;
    const { text, ...rest } = value as Readonly<Record<string, unknown>>; // an object
    return { title: text, ...rest };
  };
  class OwnNote extends Entity implements Row {
    id = '';
    slug = '';
    tag = '';
    text = '';
    title = '';
    at = new Date(0);
    static override key: string = table;
    static override schema = hasDate ? { at: (value: string) => new Date(value) } : {};

    override pk(): string {
      return this[release.pk];
    }

    static override process(...[value]: Parameters<typeof Entity.process>): object {
      return converted(value) as object; // an entity is an object
    }
  }
  class Sending<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override getRequestInit(body?: unknown): Promise<RequestInit> | RequestInit {
      return super.getRequestInit(converted(body));
    }

    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return send(url.slice(ORIGIN.length), init);
    }
  }
  const resource = createResource({
    urlPrefix: ORIGIN,
    path: `${release.path}/:${release.pk}`,
    schema: OwnNote,
    name: release.resource,
    optimistic: release.isOptimistic,
    Endpoint: Sending,
    dataExpiryLength: Infinity,
  });
  if (list === 'collection') return resource;
  return resource.extend((base) => ({
    getList: base.getList.extend({
      schema: list === 'array' ? [OwnNote] : { items: [OwnNote], next: '' },
    }) as never,
  }));
}

/** What a release without notes has. */
function makeOther() {
  class Other extends Entity {
    id = '';
    static override key = 'Other';
  }
  return createResource({ urlPrefix: ORIGIN, path: '/others/:id', schema: Other });
}
