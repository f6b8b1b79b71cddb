/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { Controller, Endpoint, type Plugin } from 'holdfast';
import { AsyncBoundary, DataProvider, useController, useSuspense } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';
import { setImmediate } from 'node:timers';
import * as React from 'react';
import { StrictMode, Suspense, type ReactElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';

globalThis.setImmediate = setImmediate;

afterEach(cleanup);

/** Absent before React 19.2. */
const Activity = 'Activity' in React ? React.Activity : undefined;

/** What has become of the controllers that were made, by a name. */
class Lives {
  readonly made: string[] = [];
  readonly stopped: string[] = [];
  readonly controllers: Controller[] = [];

  /** Makes a controller. */
  of(name: string): () => Controller {
    return () => {
      this.made.push(name);
      const life: Plugin = { name: 'life', stop: () => void this.stopped.push(name) };
      const controller = new Controller({ plugins: [life] });
      this.controllers.push(controller);
      return controller;
    };
  }
}

function Shown({ name }: { name: string }): ReactElement {
  return (
    <p>
      {name} {useController() instanceof Controller ? 'has one' : 'has none'}
    </p>
  );
}

describe.each([
  ['Strict Mode', StrictMode],
  ['no Strict Mode', ({ children }: { children: ReactElement }) => children],
])('a controller that DataProvider creates, in %s', (_, Mode) => {
  it('DataProvider creates one controller, and stops it on unmount', async () => {
    const lives = new Lives();
    const { container, unmount, rerender } = render(
      <Mode>
        <DataProvider create={lives.of('first')}>
          <Shown name="Ann" />
        </DataProvider>
      </Mode>,
    );
    expect(container.textContent).toBe('Ann has one');
    await act(async () => undefined);
    rerender(
      <Mode>
        <DataProvider create={lives.of('other')}>
          <Shown name="Bob" />
        </DataProvider>
      </Mode>,
    );
    expect([lives.made, lives.stopped]).toEqual([['first'], []]);
    unmount();
    await act(async () => undefined);
    expect(lives.stopped).toEqual(['first']);
  });

  it('DataProvider stops a controller before that of another key may do anything', async () => {
    const lives = new Lives();
    const app = (user: string) => (
      <Mode>
        <DataProvider key={user} create={lives.of(user)}>
          <Shown name={user} />
        </DataProvider>
      </Mode>
    );
    const { rerender, container } = render(app('Ann'));
    rerender(app('Bob'));
    await act(async () => undefined);
    expect([lives.made, lives.stopped]).toEqual([['Ann', 'Bob'], ['Ann']]);
    expect(container.textContent).toBe('Bob has one');
    await expect(
      lives.controllers[0]!.fetch(new Endpoint(() => Promise.resolve(1), { name: 'one' })),
    ).rejects.toMatchObject({ code: 'HF_STOPPED' });
  });

  it('DataProvider serves components that suspend below it', async () => {
    const lives = new Lives();
    const get = new Endpoint(() => Promise.resolve('read'), { name: 'get' });
    const Read = (): ReactElement => <p>{useSuspense(get)}</p>;
    const { container } = render(
      <Mode>
        <DataProvider create={lives.of('first')}>
          <AsyncBoundary fallback="waiting">
            <Read />
          </AsyncBoundary>
        </DataProvider>
      </Mode>,
    );
    expect(container.textContent).toBe('waiting');
    await act(async () => new Promise((resolve) => setTimeout(resolve)));
    expect(container.textContent).toBe('read');
    expect(lives.made).toEqual(['first']);
  });

  it('DataProvider keeps its controller while a boundary above it shows the fallback', async () => {
    const lives = new Lives();
    let requests = 0;
    let answer: () => void = () => undefined;
    const get = new Endpoint(
      () => new Promise<number>((resolve) => (answer = () => resolve((requests += 1)))),
      { name: 'get' },
    );
    const Read = (): ReactElement => <p>{useSuspense(get)}</p>;
    const app = (isShown: boolean) => (
      <Mode>
        <Suspense fallback="waiting">
          {isShown && (
            <DataProvider create={lives.of('first')}>
              <Read />
            </DataProvider>
          )}
        </Suspense>
      </Mode>
    );
    const { container, rerender } = render(app(true));
    const answered = () => act(async () => answer());
    await act(async () => undefined);
    expect(container.textContent).toBe('waiting');
    await answered();
    expect(container.textContent).toBe('1');
    await act(async () => lives.controllers[0]?.invalidate(get));
    await answered();
    expect(container.textContent).toBe('2');
    await act(async () => lives.controllers[0]?.invalidate(get));
    rerender(app(false));
    await act(async () => undefined);
    expect([lives.made, lives.stopped]).toEqual([['first'], ['first']]);
  });

  if (Activity !== undefined) {
    const Screen = Activity;
    it('DataProvider stops its controller when an Activity hides it, and creates another one when it is shown', async () => {
      const lives = new Lives();
      let requests = 0;
      const get = new Endpoint(() => Promise.resolve((requests += 1)), { name: 'get' });
      const Read = (): ReactElement => <p>{useSuspense(get)}</p>;
      const app = (mode: 'visible' | 'hidden') => (
        <Mode>
          <Screen mode={mode}>
            <DataProvider create={lives.of(mode)}>
              <AsyncBoundary>
                <Read />
              </AsyncBoundary>
            </DataProvider>
          </Screen>
        </Mode>
      );
      const { container, rerender } = render(app('visible'));
      const settle = () => act(async () => new Promise((resolve) => setTimeout(resolve)));
      await settle();
      for (const text of ['2', '3']) {
        rerender(app('hidden'));
        await settle();
        rerender(app('visible'));
        await settle();
        expect(container.textContent).toBe(text);
      }
      expect([lives.made.length, lives.stopped.length]).toEqual([3, 2]);
      await act(async () => lives.controllers[2]?.fetch(get));
      expect(container.textContent).toBe('4');
    });
  }

  it('DataProvider has a controller during server rendering and hydration', async () => {
    const lives = new Lives();
    const app = (
      <Mode>
        <DataProvider create={lives.of('page')}>
          <Shown name="Ann" />
        </DataProvider>
      </Mode>
    );
    const container = document.body.appendChild(document.createElement('div'));
    container.innerHTML = renderToString(app);
    expect(container.textContent).toBe('Ann has one');
    lives.made.length = 0;
    const problems: unknown[] = [];
    const root = await act(async () =>
      hydrateRoot(container, app, { onRecoverableError: (error) => void problems.push(error) }),
    );
    expect([problems, container.textContent]).toEqual([[], 'Ann has one']);
    await act(async () => root.unmount());
    expect(lives.stopped).toHaveLength(1);
  });

  it('DataProvider leaves no channel open over five route changes', async () => {
    const { BroadcastChannel } = globalThis;
    let open = 0;
    globalThis.BroadcastChannel = class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        open += 1;
      }
      override close(): void {
        open -= 1;
        super.close();
      }
    };
    try {
      const app = (route: string) => (
        <Mode>
          <DataProvider key={route} create={() => new Controller({ plugins: [tabs({ name: route })] })}>
            <Shown name={route} />
          </DataProvider>
        </Mode>
      );
      const { rerender, unmount } = render(app('0'));
      for (const route of ['1', '2', '3', '4', '5']) {
        rerender(app(route));
        await act(async () => undefined);
      }
      expect(open).toBe(1);
      unmount();
      await act(async () => undefined);
      expect(open).toBe(0);
    } finally {
      globalThis.BroadcastChannel = BroadcastChannel;
    }
  });
});

it('DataProvider creates no controller for renders that React discards', async () => {
  const lives = new Lives();
  let arrive: () => void = () => undefined;
  let isHere = false;
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  const Late = (): ReactElement => {
    // oxlint-disable-next-line typescript/only-throw-error -- how a component suspends in React 18, too
    if (!isHere) throw arrival;
    return <p>late</p>;
  };
  const { container } = await act(async () =>
    render(
      <Suspense fallback="waiting">
        <DataProvider create={lives.of('first')}>
          <Shown name="Ann" />
        </DataProvider>
        <Late />
      </Suspense>,
    ),
  );
  expect([container.textContent, lives.made]).toEqual(['waiting', []]);
  isHere = true;
  await act(async () => arrive());
  expect([container.textContent, lives.made]).toEqual(['Ann has onelate', ['first']]);
});
