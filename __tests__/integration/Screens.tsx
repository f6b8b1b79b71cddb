import { expect } from '@jest/globals';
import { act, render, type RenderResult } from '@testing-library/react';
import { Controller } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { DataProvider } from 'holdfast/react';
import { Fragment, startTransition, StrictMode, useState, type ReactElement } from 'react';
import { Device } from '../support/outbox.ts';
import { turn } from '../support/turns.ts';
import { readOf, ScreenPage, type Hook, type Renders, type Screen, type Tasks } from './ScreenApp.tsx';
import { ScreenServer, type Fault, type ScreenRead } from './ScreenServer.ts';

/** What a person, the app, the device or the server does. */
export type ScreenEvent =
  | { readonly kind: 'mount'; readonly place: number; readonly hook: Hook; readonly read: ScreenRead }
  | { readonly kind: 'unmount' | 'hide' | 'show' | 'retry'; readonly place: number }
  /** A mounted screen reads something else. */
  | {
      readonly kind: 'switch';
      readonly place: number;
      readonly read: ScreenRead;
      readonly isTransition: boolean;
    }
  | { readonly kind: 'edit' | 'remove'; readonly id: string }
  /** By another user. */
  | { readonly kind: 'otherEdit'; readonly id: string }
  | { readonly kind: 'create'; readonly group: string }
  | { readonly kind: 'invalidate'; readonly read: ScreenRead; readonly isTransition: boolean }
  | { readonly kind: 'reload' }
  | { readonly kind: 'expireAll' | 'reset' | 'offline' | 'online' | 'away' | 'back' }
  | { readonly kind: 'pass'; readonly ms: number }
  /** The server executes a request, the response arrives, or it fails. */
  | { readonly kind: 'execute' | 'respond'; readonly nth: number }
  | { readonly kind: 'fail'; readonly nth: number; readonly fault: Fault };

/** How the app and its world are made. */
export interface ScreenSetting {
  /** Whether the page knows what the server has: it makes all changes, and no response is lost. */
  readonly isAlone: boolean;
  readonly isStrict: boolean;
  readonly isKeyed: boolean;
  readonly isOptimistic: boolean;
  /** Whether stale data is hidden until it is read again. */
  readonly hidesStale: boolean;
  readonly isStored: boolean;
  /** Whether each render creates the endpoint that it reads. */
  readonly createsEndpoints: boolean;
}

/** After these, the page may not know what the server has. */
const OF_OTHERS = new Set<ScreenEvent['kind']>(['otherEdit', 'fail', 'reset', 'reload']);

const PLACES = [0, 1, 2];

/** What is mounted at each place. */
type Places = readonly (Screen | undefined)[];

/** Some screens of one page. */
export class Screens {
  readonly #setting: ScreenSetting;
  readonly #server = new ScreenServer();
  readonly #device = new Device();
  #tasks!: Tasks;
  #controller!: Controller;
  #rendered!: RenderResult;
  #screens: Places = PLACES.map(() => undefined);
  #show: (screens: Places) => void = () => undefined;
  readonly #renders: Renders = { count: 0 };
  readonly #retries = new Map<number, () => void>();
  #count = 0;

  constructor(setting: ScreenSetting) {
    this.#setting = setting;
  }

  async open(): Promise<void> {
    const { isStrict, isKeyed, isStored, createsEndpoints } = this.#setting;
    const device = this.#device;
    const tasks = (this.#tasks = this.#server.resource(this.#setting));
    const controller = (this.#controller = new Controller({
      plugins: isStored ? [indexedDB({ name: 'screens' })] : [],
      environment: device,
      schedule: device.schedule,
      now: () => device.now,
      gcTime: 1_000,
    }));
    const first = this.#screens;
    const renders = this.#renders;
    const setShow = (show: (screens: Places) => void): void => void (this.#show = show);
    const onFailure = (place: number, retry: () => void): void => void this.#retries.set(place, retry);
    function App(): ReactElement {
      const [screens, setScreens] = useState(first);
      setShow(setScreens);
      return (
        <ScreenPage
          tasks={tasks}
          renders={renders}
          createsEndpoints={createsEndpoints}
          screens={screens}
          isKeyed={isKeyed}
          onFailure={onFailure}
        />
      );
    }
    const Mode = isStrict ? StrictMode : Fragment;
    await act(async () => {
      this.#rendered = render(
        <Mode>
          <DataProvider controller={controller}>
            <App />
          </DataProvider>
        </Mode>,
      );
      await turn();
    });
  }

  async close(): Promise<void> {
    await act(async () => {
      this.#rendered.unmount();
      await turn();
    });
    await this.#controller.stop();
  }

  /** Lets something happen. No two screens may show different versions of a task then. */
  async happens(event: ScreenEvent): Promise<void> {
    if (this.#setting.isAlone && OF_OTHERS.has(event.kind)) return;
    this.#device.now += 1;
    this.#renders.count = 0;
    if (event.kind === 'reload') await this.#reload();
    else
      await act(async () => {
        this.#handle(event);
        await turn();
      });
    await act(turn);
    this.#checkVersions(event);
  }

  async #reload(): Promise<void> {
    this.#server.drop();
    await this.close();
    await this.open();
  }

  #handle(event: Exclude<ScreenEvent, { readonly kind: 'reload' }>): void {
    const controller = this.#controller;
    const device = this.#device;
    const { isOnline } = device;
    switch (event.kind) {
      case 'mount':
        this.#count += 1;
        this.#put(event.place, { hook: event.hook, read: event.read, isHidden: false, key: this.#count });
        break;
      case 'unmount':
        this.#put(event.place, undefined);
        break;
      case 'hide':
      case 'show':
        this.#change(event.place, { isHidden: event.kind === 'hide' });
        break;
      case 'switch':
        this.#change(event.place, { read: event.read }, event.isTransition);
        break;
      case 'retry':
        this.#retry(event.place);
        break;
      case 'edit':
      case 'remove':
      case 'create':
        this.#mutate(event);
        break;
      case 'invalidate': {
        const run = (): void => controller.invalidate(...readOf(this.#tasks, event.read));
        if (event.isTransition) startTransition(run);
        else run();
        break;
      }
      case 'expireAll':
        controller.expireAll(this.#tasks.get);
        controller.expireAll(this.#tasks.getList);
        break;
      case 'reset':
        quietly(controller.reset());
        break;
      case 'offline':
      case 'online':
        device.isOnline = event.kind === 'online';
        break;
      case 'away':
      case 'back':
        device.isVisible = event.kind === 'back';
        // Has its listeners called.
        device.isOnline = isOnline;
        break;
      case 'pass':
        device.pass(event.ms);
        break;
      case 'otherEdit':
        this.#count += 1;
        this.#server.change(event.id, `o${this.#count}`);
        break;
      case 'execute':
        this.#server.execute(event.nth);
        break;
      case 'respond':
        this.#server.respond(event.nth);
        break;
      case 'fail':
        this.#server.fail(event.nth, event.fault);
    }
  }

  #mutate(event: Extract<ScreenEvent, { kind: 'edit' | 'remove' | 'create' }>): void {
    const controller = this.#controller;
    const tasks = this.#tasks;
    this.#count += 1;
    if (event.kind === 'create') {
      const id = `n${this.#count}`;
      quietly(controller.fetch(tasks.create, { id, text: id, group: event.group }));
      return;
    }
    const { id } = event;
    if (event.kind === 'remove') quietly(controller.fetch(tasks.delete, { id }));
    else quietly(controller.fetch(tasks.partialUpdate, { id }, { text: `e${this.#count}` }));
  }

  #retry(place: number): void {
    const screen = this.#screens[place];
    // It has no boundary.
    if (screen?.hook === 'useDLE') quietly(this.#controller.fetch(...readOf(this.#tasks, screen.read)));
    else this.#retries.get(place)?.();
  }

  #change(place: number, change: Partial<Screen>, isTransition = false): void {
    const screen = this.#screens[place];
    if (screen !== undefined) this.#put(place, { ...screen, ...change }, isTransition);
  }

  #put(place: number, screen: Screen | undefined, isTransition = false): void {
    const screens = (this.#screens = this.#screens.with(place, screen));
    if (isTransition) startTransition(() => this.#show(screens));
    else this.#show(screens);
  }

  /** What a place shows. React keeps the former content of a suspended screen, hidden. */
  #text(place: number): string | undefined {
    const section = this.#rendered.container.querySelector(`[data-place="${place}"]`);
    const paragraphs = [...(section?.querySelectorAll('p') ?? [])];
    return paragraphs
      .filter(({ style }) => style.display !== 'none')
      .map(({ textContent }) => textContent)
      .join('|');
  }

  /** All screens show the same version of each task, unless a transition keeps what one of them shows. */
  #checkVersions(event: ScreenEvent): void {
    if (!this.#server.isIdle) return;
    const versions = new Map<string, Set<string>>();
    for (const [place, screen] of this.#screens.entries()) {
      if (screen === undefined || screen.isHidden) continue;
      for (const task of this.#text(place)?.split(' ') ?? []) {
        const [id = '', text] = task.split(':');
        if (text !== undefined) versions.set(id, (versions.get(id) ?? new Set()).add(text));
      }
    }
    const torn = [...versions].filter(([, texts]) => texts.size > 1);
    expect({ event, torn }).toEqual({ event, torn: [] });
  }

  /** Once everything has arrived and is read again, the screens show what the server has; no request is repeated without end. */
  async ends(limit: number): Promise<void> {
    await this.happens({ kind: 'back' });
    await this.happens({ kind: 'online' });
    await this.#settle();
    if (this.#setting.isAlone) this.#checkData();
    // All data is stale then, and read again by the screens that are shown.
    await this.happens({ kind: 'pass', ms: 100_000 });
    for (const kind of ['hide', 'show'] as const)
      for (const place of PLACES) await this.happens({ kind, place });
    await this.#settle();
    this.#checkData();
    expect(this.#server.count).toBeLessThan(limit);
  }

  /** The screens show what the server has, except for those that request nothing. */
  #checkData(): void {
    expect(this.#server.isIdle).toBe(true);
    const wrong = this.#screens.flatMap((screen, place) => {
      if (screen === undefined || screen.isHidden) return [];
      if (screen.hook === 'useCache' || screen.hook === 'useQuery') return [];
      const [text, expected] = [this.#text(place), this.#server.expected(screen.read)];
      return text === expected ? [] : [{ screen, text, expected }];
    });
    expect(wrong).toEqual([]);
  }

  /** All responses arrive, and what has failed is tried again. */
  async #settle(): Promise<void> {
    await this.#respondToAll();
    for (const place of PLACES)
      if (this.#text(place) === 'error') await this.happens({ kind: 'retry', place });
    await this.#respondToAll();
  }

  async #respondToAll(): Promise<void> {
    for (let nth = 0; nth < 60 && !this.#server.isIdle; nth++)
      await this.happens({ kind: 'respond', nth: 0 });
  }
}

/** The screens show what has failed. */
function quietly(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
