/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { browserEnvironment } from '../../src/controller/Environment.ts';

const stops: (() => void)[] = [];

/** An environment somebody has subscribed to, and what that somebody was told. */
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

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  Reflect.deleteProperty(document, 'visibilityState');
});

describe('browserEnvironment', () => {
  it('tells when the network goes and comes', () => {
    const { environment, told } = listening();
    expect(environment.isOnline).toBe(true);
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
    expect(told.map(({ isOnline }) => isOnline)).toEqual([false, true]);
  });

  it('takes it that the network was gone when it is said to be back', () => {
    const { told } = listening();
    window.dispatchEvent(new Event('online'));
    expect(told.map(({ isOnline }) => isOnline)).toEqual([false, true]);
  });

  it('tells when the page is hidden and shown', () => {
    const { told } = listening();
    show('hidden');
    show('visible');
    expect(told.map(({ isVisible }) => isVisible)).toEqual([false, true]);
  });

  it('tells nobody who has stopped, and asks the browser itself while nobody listens', () => {
    const { environment, told, stop } = listening();
    window.dispatchEvent(new Event('offline'));
    stop();
    stop();
    window.dispatchEvent(new Event('online'));
    expect(told).toHaveLength(1);
    expect(environment.isOnline).toBe(navigator.onLine);
  });

  it('tells one who has subscribed twice until both are stopped', () => {
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
