import { expect } from '@jest/globals';
import { HoldfastError } from 'holdfast';
import { DeviceLocks } from '../outbox/MortalPage.ts';
import { Device } from '../support/outbox.ts';
import { PageStorage } from '../support/PageStorage.ts';
import { turns } from '../support/turns.ts';
import { DeploymentPage, type DeploymentDevice } from './DeploymentPage.ts';
import { DeploymentServer, type DeploymentRequest } from './DeploymentServer.ts';
import { hasOwnFields, type Change, type Release, releasesOf } from './Release.ts';

type Tab = 0 | 1;

/** What a user does in two tabs, while releases of the app are deployed and rolled back. */
export type DeploymentEvent =
  | { readonly kind: 'read' | 'toggle' | 'create' | 'reload'; readonly tab: Tab }
  | {
      readonly kind: 'edit' | 'remove' | 'discard' | 'retry' | 'mine' | 'theirs';
      readonly tab: Tab;
      readonly nth: number;
    }
  /** A page is left, and its process ends after so many steps. */
  | { readonly kind: 'unload'; readonly tab: Tab; readonly steps: number }
  /** From now on, a page that is loaded is of this release. */
  | { readonly kind: 'deploy'; readonly nth: number }
  /** The browser starts a service worker of this release, to send what is queued. */
  | { readonly kind: 'work'; readonly nth: number }
  | { readonly kind: 'execute' | 'respond' | 'lose'; readonly nth: number }
  | { readonly kind: 'offline' | 'online' | 'settle' | 'idle' }
  | { readonly kind: 'refuse'; readonly status: 409 | 422 }
  | { readonly kind: 'pass'; readonly ms: number };

/** A mutation that the user asked for. */
interface Asked {
  readonly what: string;
  /** Whether the caller was told that it is stored, or done. */
  isTold: boolean;
  /** Whether the user has discarded it. */
  isDiscarded: boolean;
}

/** More requests than any event causes. */
const MANY = 200;

/** What a release says of where its data is stored. */
const placeOf = ({ isScoped, codec }: Release): string => `${isScoped} ${codec}`;

/** The tag of the note that a mutation is of. */
const tagOf = (what: string): string => what.split(' ')[1] ?? '';

/** A device on which an app is updated while it is used. */
export class DeployedDevice {
  readonly #releases: readonly Release[];
  readonly #isUpdated: boolean;
  readonly #server: DeploymentServer;
  readonly #device = new Device();
  readonly #shared: DeploymentDevice;
  readonly #errors: { readonly error: unknown; readonly release: Release }[] = [];
  readonly #tabs: [DeploymentPage | undefined, DeploymentPage | undefined] = [undefined, undefined];
  /** Every page, to be closed in the end. */
  readonly #opened: DeploymentPage[] = [];
  readonly #asked: Asked[] = [];
  /** Notes whose creation was rejected while its caller waited, or discarded: what depends on it is dropped with it. */
  readonly #givenUp = new Set<string>();
  /** What waits for idle time. */
  #idle: (() => void)[] = [];
  #deployed: Release;
  #count = 0;

  /** @param isUpdated - whether the second tab is opened after the first deployment */
  constructor(deployments: readonly (readonly Change[])[], isUpdated: boolean) {
    const target = { addEventListener: () => undefined, removeEventListener: () => undefined };
    Object.assign(globalThis, target, {
      document: { ...target, visibilityState: 'visible' },
      localStorage: new PageStorage(),
    });
    this.#releases = releasesOf(deployments);
    this.#isUpdated = isUpdated;
    this.#server = new DeploymentServer(this.#releases);
    [this.#deployed] = this.#releases as [Release];
    this.#shared = {
      device: this.#device,
      locks: new DeviceLocks(),
      send: (release, path, init) => this.#send(release, path, init),
      onError: (error, release) => void this.#errors.push({ error, release }),
    };
  }

  async open(): Promise<void> {
    Object.assign(globalThis, { requestIdleCallback: (run: () => void) => this.#idle.push(run) });
    for (const tab of [0, 1] as const) {
      if (this.#isUpdated) this.#deployed = this.#releases[tab] ?? this.#deployed;
      await this.#open(tab);
      await this.#settle();
      await this.#idleTime();
    }
  }

  async close(): Promise<void> {
    for (const page of this.#opened) await page.close();
  }

  async happens(event: DeploymentEvent): Promise<void> {
    this.#device.now += 1;
    await this.#happens(event);
    await this.#turns();
    this.#check(event);
  }

  /** The last release is deployed, everybody reloads, and is online. */
  async ends(): Promise<void> {
    const last = this.#releases.at(-1) ?? this.#deployed;
    this.#deployed = last;
    this.#device.isOnline = true;
    this.#server.refusal = undefined;
    await this.#settle();
    for (const tab of [0, 1] as const) await this.#reload(tab);
    await this.#sendAll();
    const left = [...this.#leftIn(this.#tabs[0])];
    // What is queued in another database, or encoded otherwise, is sent from there: see docs/migrations.md.
    const places = new Map(this.#releases.map((release) => [placeOf(release), release]));
    for (const [place, { isScoped, codec }] of places) {
      if (place === placeOf(last)) continue;
      const earlier = new DeploymentPage({ ...last, isScoped, codec }, this.#shared);
      this.#opened.push(earlier);
      await earlier.started;
      await this.#sendAll();
      left.push(...this.#leftIn(earlier));
      await earlier.close();
    }
    const lost = this.#asked.filter(
      ({ what, isTold, isDiscarded }) =>
        isTold &&
        !isDiscarded &&
        !this.#givenUp.has(tagOf(what)) &&
        !this.#server.handled.includes(what) &&
        !left.includes(what),
    );
    expect({ lost: lost.map(({ what }) => what) }).toEqual({ lost: [] });
    for (const page of this.#tabs) page?.read().catch(() => undefined);
    await this.#settle();
    this.#check('the end');
    if (last.isWithoutNotes) return;
    const texts = [...this.#server.notes.values()].sort();
    for (const page of this.#tabs) expect(page?.notes.map(({ text }) => text).sort()).toEqual(texts);
  }

  /** What a page still has in its outbox. */
  #leftIn(page: DeploymentPage | undefined): readonly string[] {
    return page?.entries.map((entry) => page.nameOf(entry)) ?? [];
  }

  async #sendAll(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await this.#settle();
      this.#device.pass(60_000);
      await this.#turns();
    }
    await this.#settle();
  }

  /** Waits until what follows from the last event has happened, with what is scheduled for the next task. */
  async #turns(): Promise<void> {
    await turns();
    this.#device.pass(0);
    await turns();
  }

  #send(release: Release, path: string, { method = 'GET', body, headers }: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const request: DeploymentRequest = {
        release,
        method,
        path,
        body: JSON.parse(typeof body === 'string' ? body : '{}') as DeploymentRequest['body'], // what the page has sent
        key: new Headers(headers).get('Idempotency-Key'),
        resolve,
        reject,
      };
      this.#server.requests.add(request);
      if (!this.#device.isOnline) this.#server.end(request, true);
    });
  }

  async #happens(event: DeploymentEvent): Promise<void> {
    switch (event.kind) {
      case 'settle':
        return this.#settle();
      case 'idle':
        return this.#idleTime();
      case 'pass':
        this.#device.pass(event.ms);
        return;
      case 'execute':
      case 'respond':
      case 'lose':
        this.#goOn(event);
        return;
      case 'offline':
        this.#device.isOnline = false;
        return;
      case 'online':
        this.#device.isOnline = true;
        return;
      case 'refuse':
        this.#server.refusal = event.status;
        return;
      case 'deploy':
        this.#deployed = this.#releases[event.nth % this.#releases.length] ?? this.#deployed;
        return;
      case 'work':
        return this.#work(this.#releases[event.nth % this.#releases.length] ?? this.#deployed);
      case 'unload': {
        this.#tabs[event.tab]?.unload(event.steps);
        await this.#turns();
        this.#tabs[event.tab]?.kill();
        await this.#open(event.tab);
        return;
      }
      case 'reload':
        return this.#reload(event.tab);
      case 'read':
        this.#tabs[event.tab]?.read().catch(() => undefined);
        return;
      case 'toggle':
        this.#tabs[event.tab]?.toggle();
        return;
      case 'create':
      case 'edit':
      case 'remove':
        this.#act(event);
        return;
      case 'discard':
      case 'retry':
      case 'mine':
      case 'theirs':
        this.#decide(event);
    }
  }

  /** A service worker has no list, and ends when it has sent what it can. */
  async #work(release: Release): Promise<void> {
    const worker = new DeploymentPage(release, this.#shared);
    this.#opened.push(worker);
    await worker.started;
    const drained = worker.box.drain();
    drained.catch(() => undefined);
    await this.#settle();
    await worker.close();
  }

  async #reload(tab: Tab): Promise<void> {
    await this.#tabs[tab]?.close();
    await this.#open(tab);
  }

  async #open(tab: Tab): Promise<DeploymentPage> {
    const page = new DeploymentPage(this.#deployed, this.#shared);
    this.#tabs[tab] = page;
    this.#opened.push(page);
    await page.started;
    page.toggle();
    return page;
  }

  #act(event: DeploymentEvent & { readonly tab: Tab }): void {
    const page = this.#tabs[event.tab];
    if (page === undefined || page.release.isWithoutNotes) return;
    const nth = (this.#count += 1);
    if (event.kind === 'create') {
      this.#ask(`create t${nth}`, page.create(`t${nth}`, `t${nth} created`));
      return;
    }
    const { notes } = page;
    const note = 'nth' in event ? notes[event.nth % notes.length] : undefined;
    if (note === undefined) return;
    const text = `${note.tag} edited ${nth}`;
    if (event.kind === 'edit') this.#ask(`edit ${text}`, page.edit(note, text));
    else if (!this.#asked.some(({ what }) => what === `remove ${note.tag}`))
      this.#ask(`remove ${note.tag}`, page.remove(note));
  }

  #ask(what: string, promise: Promise<unknown>): void {
    const asked = { what, isTold: false, isDiscarded: false };
    this.#asked.push(asked);
    promise.then(
      () => (asked.isTold = true),
      () => what.startsWith('create') && this.#givenUp.add(tagOf(what)),
    );
  }

  #decide({ kind, tab, nth }: DeploymentEvent & { readonly tab: Tab; readonly nth: number }): void {
    const page = this.#tabs[tab];
    const entries = page?.entries ?? [];
    const entry = entries[nth % entries.length];
    if (page === undefined || entry === undefined) return;
    const names = new Map(entries.map((other) => [other.key, page.nameOf(other)]));
    if (kind === 'discard' && entry.name.endsWith('.create')) this.#givenUp.add(tagOf(page.nameOf(entry)));
    if (kind === 'retry') page.box.retry(entry.key);
    else if (kind === 'discard') page.box.discard(entry.key);
    else page.box.resolve(entry.key, kind === 'mine' ? 'mine' : 'theirs');
    const left = new Set(page.entries.map(({ key }) => key));
    for (const [key, what] of names)
      if (!left.has(key)) for (const asked of this.#asked) if (asked.what === what) asked.isDiscarded = true;
  }

  /** Executes and answers everything, in order. */
  async #settle(): Promise<void> {
    await turns();
    let count = 0;
    for (let [request] = this.#server.requests; request !== undefined; [request] = this.#server.requests) {
      if ((count += 1) > MANY) throw new Error(`The app sends ${request.method} ${request.path} without end`);
      this.#server.execute(request);
      this.#server.end(request);
      await this.#turns();
    }
  }

  async #idleTime(): Promise<void> {
    const waiting = this.#idle;
    this.#idle = [];
    for (const run of waiting) run();
    await this.#turns();
  }

  #goOn({ kind, nth }: { readonly kind: 'execute' | 'respond' | 'lose'; readonly nth: number }): void {
    const isExecuted = kind !== 'execute';
    const all = [...this.#server.requests].filter(({ response }) => (response !== undefined) === isExecuted);
    const request = all[nth % all.length];
    if (request === undefined) return;
    if (isExecuted) this.#server.end(request, kind === 'lose');
    else this.#server.execute(request);
  }

  #check(event: unknown): void {
    const { violations, handled } = this.#server;
    expect({ event, violations }).toEqual({ event, violations: [] });
    expect({ event, handled }).toEqual({ event, handled: [...new Set(handled)] });
    for (const [tab, page] of this.#tabs.entries()) {
      if (page === undefined) continue;
      const isComplete = hasOwnFields(page.release, this.#releases);
      const wrong = page.notes.filter(({ tag, text }) =>
        text === '' ? isComplete : !text.startsWith(`${tag} `),
      );
      expect({ event, tab, wrong }).toEqual({ event, tab, wrong: [] });
    }
    const errors = this.#errors.flatMap(({ error, release }) =>
      error instanceof HoldfastError && this.#mayReport(error, release) ? [] : [String(error)],
    );
    expect({ event, errors }).toEqual({ event, errors: [] });
  }

  #mayReport({ code }: HoldfastError, { migrate, version }: Release): boolean {
    const all = this.#releases;
    const hasCodecs = all.some(({ codec }) => codec !== all[0]?.codec);
    const mayBe: Partial<Record<HoldfastError['code'], boolean>> = {
      HF_STORAGE: hasCodecs || all.some((other) => other.version > version),
      HF_PLUGIN: migrate === 'throws',
      HF_OUTBOX_ARGS: all.some(({ pk }) => pk !== all[0]?.pk),
      // A creation that was discarded while another tab sent it, or was queued without the codec.
      HF_OUTBOX_PK: this.#givenUp.size > 0 || hasCodecs,
    };
    return mayBe[code] === true;
  }
}
