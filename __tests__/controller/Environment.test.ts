/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { browserEnvironment } from '../../src/controller/Environment.ts';
import { silently } from '../support/silently.ts';

const stops: (() => void)[] = [];

/** An environment with a subscriber, and its notifications. */
function listening() {
  const environment = browserEnvironment();
  const told: { readonly isOnline: boolean; readonly isVisible: boolean }[] = [];
  const stop = environment.subscribe(() =>
    told.push({ isOnline: environment.isOnline, isVisible: environment.isVisible }),
  );
  stops.push(stop);
  return { environment, told, stop };
}

function show(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}

function connect(isOnline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
}

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  Reflect.deleteProperty(document, 'visibilityState');
  Reflect.deleteProperty(navigator, 'onLine');
});

describe('browserEnvironment', () => {
  it('browserEnvironment notifies its subscribers when the network is lost and restored', () => {
    const { environment, told } = listening();
    expect(environment.isOnline).toBe(true);
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
    expect(told.map(({ isOnline }) => isOnline)).toEqual([false, true]);
  });

  it('browserEnvironment assumes that the network was lost when the browser reports it as restored', () => {
    const { told } = listening();
    window.dispatchEvent(new Event('online'));
    expect(told.map(({ isOnline }) => isOnline)).toEqual([false, true]);
  });

  it('browserEnvironment notifies its subscribers when the page is hidden and shown', () => {
    const { told } = listening();
    show('hidden');
    show('visible');
    expect(told.map(({ isVisible }) => isVisible)).toEqual([false, true]);
  });

  it('browserEnvironment notices that the network is back when the page becomes visible, even if no event said so', () => {
    const { environment, told } = listening();
    connect(false);
    window.dispatchEvent(new Event('offline'));
    show('hidden');
    expect(environment.isOnline).toBe(false);
    connect(true);
    show('visible');
    expect(told.map(({ isOnline }) => isOnline)).toEqual([false, false, true]);
    expect(environment.isOnline).toBe(true);
  });

  it('browserEnvironment notices that the network is lost when the page becomes visible, even if no event said so', () => {
    const { environment, told } = listening();
    show('hidden');
    connect(false);
    show('visible');
    expect(told.map(({ isOnline }) => isOnline)).toEqual([true, false]);
    expect(environment.isOnline).toBe(false);
  });

  it('a listener that throws does not keep the others of browserEnvironment from being notified', async () => {
    const environment = browserEnvironment();
    stops.push(
      environment.subscribe(() => {
        throw new Error('of the app');
      }),
    );
    let told = 0;
    stops.push(environment.subscribe(() => (told += 1)));
    await silently(() => window.dispatchEvent(new Event('offline')));
    expect(told).toBe(1);
  });

  it('browserEnvironment does not notify an unsubscribed listener, and reads the browser’s state while there are no subscribers', () => {
    const { environment, told, stop } = listening();
    window.dispatchEvent(new Event('offline'));
    stop();
    stop();
    window.dispatchEvent(new Event('online'));
    expect(told).toHaveLength(1);
    expect(environment.isOnline).toBe(navigator.onLine);
  });

  it('browserEnvironment notifies a listener that subscribed twice until both subscriptions end', () => {
    const environment = browserEnvironment();
    let told = 0;
    const listener = (): void => {
      told += 1;
    };
    const [first, second] = [environment.subscribe(listener), environment.subscribe(listener)];
    first();
    window.dispatchEvent(new Event('offline'));
    expect(told).toBe(1);
    second();
    window.dispatchEvent(new Event('online'));
    expect(told).toBe(1);
  });
});
