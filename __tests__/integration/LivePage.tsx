import { expect } from '@jest/globals';
import { act, render, type RenderResult } from '@testing-library/react';
import { Controller, refetchOn, type EndpointInterface } from 'holdfast';
import { DataProvider } from 'holdfast/react';
import { Fragment, startTransition, StrictMode, useState, type ReactElement } from 'react';
import { internalsOf } from '../../src/controller/internalsOf.ts';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';
import { settled } from '../support/held.ts';
import { nodeCount } from '../support/nodeCount.ts';
import {
  FREQUENCIES,
  LiveScreens,
  shown,
  type Frequency,
  type LiveHook,
  type LiveScreen,
} from './LiveApp.tsx';
import { LiveFeed } from './LiveFeed.ts';
import { LivePolls } from './LivePolls.ts';
import { LiveServer, SYMBOLS, type Behavior, type Ticker } from './LiveServer.ts';

/** What a person, the app, the device or the server does. */
export type LiveEvent =
  | {
      readonly kind: 'mount';
      readonly place: number;
      readonly hook: LiveHook;
      readonly symbol: Ticker;
      readonly frequency: Frequency;
    }
  | { readonly kind: 'unmount' | 'hide' | 'show' | 'retry'; readonly place: number }
  /** A mounted screen reads something else, or nothing. */
  | {
      readonly kind: 'switch';
      readonly place: number;
      readonly symbol: Ticker | undefined;
      readonly isTransition: boolean;
    }
  | { readonly kind: 'pace'; readonly place: number; readonly frequency: Frequency }
  /** Code without React watches a quote and has it polled, until it is stopped. */
  | { readonly kind: 'watch'; readonly symbol: Ticker; readonly frequency: Frequency }
  | { readonly kind: 'unwatch' }
  /** Somebody else changes a quote, or this user does. */
  | { readonly kind: 'change' | 'edit'; readonly symbol: Ticker }
  | { readonly kind: 'behave'; readonly behavior: Behavior }
  /** The server closes its connections, and accepts no other for a while. */
  | { readonly kind: 'accept'; readonly isAccepting: boolean }
  | { readonly kind: 'invalidate'; readonly symbol: Ticker }
  | { readonly kind: 'offline' | 'online' | 'away' | 'back' | 'rerender' }
  /** `stop`: the app creates another controller. */
  | { readonly kind: 'invalidateAll' | 'expireAll' | 'reset' | 'logout' | 'stop' }
  /** The device sleeps. */
  | { readonly kind: 'freeze'; readonly ms: number }
  | { readonly kind: 'pass'; readonly ms: number };

/** How the app is made. */
export interface LiveSetting {
  readonly isStrict: boolean;
  readonly pushed: readonly Ticker[];
  readonly refetches: boolean;
  readonly hidesStale: boolean;
  readonly createsEndpoints: boolean;
  readonly dataExpiryLength: number;
}

const PLACES = [0, 1, 2, 3];

/** Longer than any frequency, and than a plugin needs to connect again, in ms. */
const PERIOD = 8_000;

const GC_TIME = 5_000;

/** Far more than any event needs: see `MAX_RENDERS` in `ScreenApp.tsx`. */
const MAX_RENDERS = 500;

/** What is mounted at each place. */
type Places = readonly (LiveScreen | undefined)[];

/** Something that code without React watches. */
interface Watch {
  readonly symbol: Ticker;
  readonly frequency: Frequency;
  text: string;
  readonly stop: () => void;
}

/** A page of screens that follow a server. */
export class LivePage {
  readonly #setting: LiveSetting;
  readonly #time = new FakeTime();
  readonly #environment = new FakeEnvironment();
  readonly #server = new LiveServer(this.#time);
  readonly #polls = new LivePolls(this.#server);
  readonly #pushed: ReadonlySet<Ticker>;
  readonly #endpoints: ReturnType<LiveServer['endpoints']>;
  #feed!: LiveFeed;
  #controller!: Controller;
  #rendered!: RenderResult;
  #screens: Places = PLACES.map(() => undefined);
  #show: (screens: Places) => void = () => undefined;
  #provide: (controller: Controller) => void = () => undefined;
  /** What screens may still be subscribed to: what they read before a change that has not been rendered. */
  readonly #former = new Map<number, readonly LiveScreen[]>();
  readonly #watches: Watch[] = [];
  readonly #retries = new Map<number, () => void>();
  #renders = 0;
  #count = 0;

  constructor(setting: LiveSetting) {
    this.#setting = setting;
    this.#pushed = new Set(setting.pushed);
    this.#endpoints = this.#server.endpoints(setting);
  }

  async open(): Promise<void> {
    this.#create();
    const first = [this.#controller, this.#screens] as const;
    const setProvide = (provide: (controller: Controller) => void): void => void (this.#provide = provide);
    const setShow = (show: (screens: Places) => void): void => void (this.#show = show);
    const context = {
      endpointFor: this.#endpointsFor(),
      onRender: () => {
        this.#renders += 1;
        if (this.#renders > MAX_RENDERS) throw new Error('React renders for ever');
      },
      onFailure: (place: number, retry: () => void): void => void this.#retries.set(place, retry),
    };
    function App(): ReactElement {
      const [controller, setController] = useState(first[0]);
      const [screens, setScreens] = useState(first[1]);
      setProvide(setController);
      setShow(setScreens);
      return (
        <DataProvider controller={controller}>
          <LiveScreens context={context} screens={screens} />
        </DataProvider>
      );
    }
    const Mode = this.#setting.isStrict ? StrictMode : Fragment;
    await act(async () => {
      this.#rendered = render(
        <Mode>
          <App />
        </Mode>,
      );
      await settled();
    });
  }

  #endpointsFor(): (frequency: Frequency) => ReturnType<LiveServer['endpoints']>['get'] {
    const { get } = this.#endpoints;
    const create = (pollFrequency: Frequency): typeof get => get.extend({ pollFrequency });
    if (this.#setting.createsEndpoints) return create;
    const endpoints = new Map(FREQUENCIES.map((each) => [each, create(each)]));
    return (frequency) => endpoints.get(frequency) as typeof get; // of all frequencies
  }

  /** Creates a controller, and has the subscriptions to it recorded. */
  #create(): void {
    const feed = (this.#feed = new LiveFeed(this.#server, this.#pushed));
    const { now, schedule } = this.#time;
    const controller = (this.#controller = new Controller({
      plugins: this.#setting.refetches ? [feed, refetchOn()] : [feed],
      environment: this.#environment,
      schedule,
      now,
      gcTime: GC_TIME,
    }));
    for (const name of ['subscribe', 'unsubscribe'] as const) {
      const original = controller[name] as (endpoint: EndpointInterface, ...args: readonly unknown[]) => void;
      const recorded: typeof original = (endpoint, ...args) => {
        const [params] = args as [{ symbol: Ticker } | null]; // there is one read
        const isKnown = params !== null && controller === this.#controller;
        if (isKnown) this.#polls[name](params.symbol, endpoint.pollFrequency as Frequency, now()); // one of these
        original(endpoint, ...args);
      };
      Object.assign(controller, { [name]: recorded });
    }
  }

  async close(): Promise<void> {
    await act(async () => {
      this.#rendered.unmount();
      await settled();
    });
    await this.#controller.stop();
  }

  /** Lets something happen, and checks what follows from it. */
  async happens(event: LiveEvent): Promise<void> {
    if (event.kind === 'pass') {
      await this.#pass(event.ms);
      return;
    }
    await this.#run(() => this.#handle(event), false, event);
  }

  async #pass(ms: number): Promise<void> {
    for (let left = ms; left > 0;) {
      const step = Math.min(left, this.#time.earliest);
      left -= step;
      await this.#run(() => this.#time.pass(step), true);
    }
  }

  async #run(run: () => unknown, isQuiet: boolean, event?: LiveEvent): Promise<void> {
    this.#renders = 0;
    const waiting = PLACES.filter((place) => this.#text(place) === 'waiting');
    await act(async () => {
      await run();
      await settled();
    });
    await act(settled);
    for (const [place] of this.#former) if (!this.#isPending(place)) this.#former.delete(place);
    const { isOnline, isVisible } = this.#environment;
    try {
      this.#polls.check({
        now: this.#time.now(),
        isActive: isOnline && isVisible,
        pushed: this.#pushed,
        // What has been mounted may be stale.
        isQuiet: isQuiet && waiting.every((place) => this.#text(place) === 'waiting'),
      });
      this.#checkSubscriptions();
      this.#checkUsers();
    } catch (error) {
      throw new Error(`After ${JSON.stringify(event ?? 'a while')}`, { cause: error });
    }
  }

  async #handle(event: Exclude<LiveEvent, { kind: 'pass' }>): Promise<void> {
    const controller = this.#controller;
    const environment = this.#environment;
    const server = this.#server;
    const { get, edit } = this.#endpoints;
    switch (event.kind) {
      case 'mount':
        this.#put(event.place, { ...event, isHidden: false, key: (this.#count += 1) });
        break;
      case 'unmount':
        this.#put(event.place, undefined);
        break;
      case 'hide':
      case 'show':
        this.#change(event.place, { isHidden: event.kind === 'hide' });
        break;
      case 'switch':
        this.#change(event.place, { symbol: event.symbol }, event.isTransition);
        break;
      case 'pace':
        this.#change(event.place, { frequency: event.frequency });
        break;
      case 'rerender':
        this.#show([...this.#screens]);
        break;
      case 'retry':
        server.letRepeat();
        this.#retry(event.place);
        break;
      case 'watch':
        this.#watch(event.symbol, event.frequency);
        break;
      case 'unwatch':
        this.#watches.shift()?.stop();
        break;
      case 'change':
        server.change(event.symbol);
        break;
      case 'edit':
        quietly(controller.fetch(edit, { symbol: event.symbol }));
        break;
      case 'behave':
        server.behavior = event.behavior;
        break;
      case 'accept':
        server.isAccepting = event.isAccepting;
        for (const socket of [...server.sockets]) server.disconnect(socket);
        break;
      case 'invalidate':
        server.outdate(event.symbol);
        controller.invalidate(get, { symbol: event.symbol });
        break;
      case 'invalidateAll':
        server.outdate();
        controller.invalidateAll(get);
        break;
      case 'expireAll':
        if (this.#setting.hidesStale)
          for (const { args } of controller.mountedReads())
            server.outdate((args[0] as { symbol: Ticker }).symbol);
        controller.expireAll(get);
        break;
      case 'reset':
      case 'logout':
        if (event.kind === 'logout') server.user = server.user === 'ann' ? 'bob' : 'ann';
        server.forget();
        quietly(controller.reset());
        break;
      case 'stop':
        await this.#restart();
        break;
      case 'offline':
      case 'online':
        server.letRepeat();
        environment.change({ isOnline: event.kind === 'online' });
        break;
      case 'away':
      case 'back':
        server.letRepeat();
        environment.change({ isVisible: event.kind === 'back' });
        break;
      case 'freeze':
        server.letRepeat();
        environment.change({ isVisible: false });
        this.#time.jump(event.ms);
        environment.change({ isVisible: true });
    }
  }

  /** A stopped controller leaves nothing behind; the page shows another one. */
  async #restart(): Promise<void> {
    const watched = this.#watches.splice(0);
    const feed = this.#feed;
    for (const { stop } of watched) stop();
    await this.#controller.stop();
    expect({ open: feed.open, endedTwice: feed.endedTwice, sockets: this.#server.sockets.size }).toEqual({
      open: [],
      endedTwice: 0,
      sockets: 0,
    });
    this.#polls.clear();
    this.#server.forget();
    this.#create();
    this.#provide(this.#controller);
    for (const { symbol, frequency } of watched) this.#watch(symbol, frequency);
  }

  #watch(symbol: Ticker, frequency: Frequency): void {
    const controller = this.#controller;
    const endpoint = this.#endpoints.get.extend({ pollFrequency: frequency });
    const end = controller.watch(endpoint, { symbol }, (quote) => {
      watch.text = shown(quote);
    });
    controller.subscribe(endpoint, { symbol });
    const watch: Watch = {
      symbol,
      frequency,
      text: shown(controller.getResponse(endpoint, { symbol }).data),
      stop: () => {
        end();
        controller.unsubscribe(endpoint, { symbol });
      },
    };
    this.#watches.push(watch);
  }

  #retry(place: number): void {
    const screen = this.#screens[place];
    if (screen?.symbol === undefined) return;
    // It has no boundary.
    if (screen.hook === 'useDLE')
      quietly(this.#controller.fetch(this.#endpoints.get, { symbol: screen.symbol }));
    else this.#retries.get(place)?.();
  }

  #change(place: number, change: Partial<LiveScreen>, isTransition = false): void {
    const screen = this.#screens[place];
    if (screen === undefined) return;
    this.#former.set(place, [...(this.#former.get(place) ?? []), screen]);
    this.#put(place, { ...screen, ...change }, isTransition);
  }

  #put(place: number, screen: LiveScreen | undefined, isTransition = false): void {
    const screens = (this.#screens = this.#screens.with(place, screen));
    if (isTransition) startTransition(() => this.#show(screens));
    else this.#show(screens);
  }

  /** What a place shows. React keeps the former content of a suspended screen, hidden. */
  #text(place: number): string | undefined {
    const section = this.#rendered.container.querySelector(`[data-place="${place}"]`);
    const paragraphs = [...(section?.querySelectorAll('p') ?? [])];
    return paragraphs.find(({ style }) => style.display !== 'none')?.textContent;
  }

  /** Whether a screen has not rendered its last change: it suspends, or a transition keeps what it showed. */
  #isPending(place: number): boolean {
    const screen = this.#screens[place];
    if (screen === undefined || screen.isHidden) return false;
    const text = this.#text(place);
    const isKept = (former: LiveScreen): boolean =>
      former.symbol !== screen.symbol &&
      (former.symbol === undefined ? text === 'nothing' : text?.startsWith(`${former.symbol}=`) === true);
    return text === 'waiting' || this.#former.get(place)?.some(isKept) === true;
  }

  /** Each mounted screen has one subscription, at its own pace, and nothing else has one. */
  #checkSubscriptions(): void {
    const wrong = SYMBOLS.flatMap((symbol) =>
      FREQUENCIES.flatMap((frequency) => {
        const watches = this.#watches.filter(
          (watch) => watch.symbol === symbol && watch.frequency === frequency,
        );
        let least = watches.length;
        let most = watches.length;
        const isThis = (screen: LiveScreen): boolean =>
          screen.symbol === symbol && screen.frequency === frequency;
        for (const [place, screen] of this.#screens.entries()) {
          if (screen === undefined || screen.isHidden || screen.hook === 'useSuspense') continue;
          const text = this.#text(place);
          if (screen.hook === 'useLive' && text === 'error') continue;
          const former = this.#former.get(place) ?? [];
          if (![screen, ...former].some(isThis)) continue;
          most += 1;
          // A screen that suspends has a subscription if it was on screen before.
          const isSuspended = screen.hook === 'useLive' && text === 'waiting';
          if (isThis(screen) && former.length === 0 && !isSuspended) least += 1;
        }
        const count = this.#polls.count(symbol, frequency);
        return least <= count && count <= most ? [] : [{ symbol, frequency, count, least, most }];
      }),
    );
    expect(wrong).toEqual([]);
    // A plugin has one subscription for all of them.
    const subscribed = SYMBOLS.filter(
      (symbol) => this.#pushed.has(symbol) && FREQUENCIES.some((each) => this.#polls.count(symbol, each) > 0),
    );
    expect({ open: [...this.#feed.open].sort(), endedTwice: this.#feed.endedTwice }).toEqual({
      open: subscribed,
      endedTwice: 0,
    });
  }

  /** Nothing of a former user is on screen, or has been reported. */
  #checkUsers(): void {
    const texts = [...PLACES.map((place) => this.#text(place)), ...this.#watches.map(({ text }) => text)];
    const other = this.#server.user === 'ann' ? 'bob' : 'ann';
    expect(texts.filter((text) => text?.includes(other))).toEqual([]);
  }

  /** Once it is quiet, what is mounted follows the server; once all is unmounted, nothing is left. */
  async ends(): Promise<void> {
    await this.happens({ kind: 'behave', behavior: { delay: 0 } });
    await this.happens({ kind: 'accept', isAccepting: true });
    await this.happens({ kind: 'back' });
    await this.happens({ kind: 'online' });
    for (const place of PLACES) await this.happens({ kind: 'show', place });
    // The slowest responses arrive.
    await this.#pass(25_000);
    for (const place of PLACES)
      if (this.#text(place) === 'error' && !this.#recovers(place))
        await this.happens({ kind: 'retry', place });
    for (let nth = 0; nth < 2; nth++) {
      for (const symbol of SYMBOLS) await this.happens({ kind: 'change', symbol });
      await this.#pass(PERIOD);
      this.#checkFollowing();
    }
    await this.#checkEnd();
  }

  /** Whether a screen that has failed is polled all the same. */
  #recovers(place: number): boolean {
    const screen = this.#screens[place];
    return screen?.hook === 'useDLE' && screen.symbol !== undefined && this.#isPolled(screen.symbol);
  }

  #isPolled(symbol: Ticker): boolean {
    return (
      !this.#pushed.has(symbol) && FREQUENCIES.some((each) => each > 0 && this.#polls.count(symbol, each) > 0)
    );
  }

  #checkFollowing(): void {
    const wrong: unknown[] = [];
    const check = (symbol: Ticker, text: string | undefined, what: LiveScreen | 'watch'): void => {
      const isFollowing = this.#isPolled(symbol) || this.#feed.open.includes(symbol);
      // These two do not request what is invalid, or stale and hidden.
      const isPassive = what === 'watch' || what.hook === 'useCache';
      const mayHide = isPassive && (this.#setting.hidesStale || this.#pushed.has(symbol));
      const expected = `${symbol}=${this.#server.textOf(symbol)}`;
      if (isFollowing && text !== expected && !(mayHide && text === 'nothing'))
        wrong.push({ what, text, expected });
    };
    for (const [place, screen] of this.#screens.entries())
      if (screen?.symbol !== undefined) check(screen.symbol, this.#text(place), screen);
    for (const { symbol, text } of this.#watches) check(symbol, text, 'watch');
    expect(wrong).toEqual([]);
  }

  async #checkEnd(): Promise<void> {
    for (const place of PLACES) await this.happens({ kind: 'unmount', place });
    while (this.#watches.length > 0) await this.happens({ kind: 'unwatch' });
    const sent = this.#server.requests.length;
    await this.#pass(120_000);
    // After a failed connection, the controller waits for this.
    for (const kind of ['away', 'back'] as const) await this.happens({ kind });
    const { core } = internalsOf(this.#controller);
    expect({
      sent: this.#server.requests.length,
      timers: this.#time.timers,
      listeners: this.#environment.listeners,
      subscriptions: core.subscriptions.size,
      observed: [...core.reads.values()].filter(({ observers }) => observers > 0).length,
      sockets: this.#server.sockets.size,
    }).toEqual({
      sent,
      timers: 0,
      listeners: this.#setting.refetches ? 1 : 0,
      subscriptions: 0,
      observed: 0,
      sockets: 0,
    });
    await this.#controller.reset();
    await this.#controller.stop();
    expect({
      listeners: this.#environment.listeners,
      nodes: nodeCount(core.views),
      reads: core.reads.size,
    }).toEqual({
      listeners: 0,
      nodes: 0,
      reads: 0,
    });
  }
}

/** The screens show what has failed. */
function quietly(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
