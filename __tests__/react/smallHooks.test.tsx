/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { Controller, type Plugin, type Read } from 'holdfast';
import {
  DataProvider,
  useDebounce,
  useError,
  useLive,
  useLoading,
  useOnline,
  useSubscription,
  useSuspense,
} from 'holdfast/react';
import { StrictMode, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { Backend, Device, failed, show, text } from './Backend.tsx';
import { FakeTime } from '../support/fakeTime.ts';
import { turn } from '../support/turns.ts';

let backend = new Backend();
beforeEach(() => {
  backend = new Backend();
});
afterEach(cleanup);

const below = (controller: Controller) =>
  function Wrapper({ children }: { children: ReactNode }): ReactElement {
    return <DataProvider controller={controller}>{children}</DataProvider>;
  };

describe('useError', () => {
  it('useError returns the error of the newest request, also beside data, and renders for nothing else', async () => {
    const controller = new Controller();
    let renders = 0;
    const { result, rerender } = renderHook(
      ({ id }: { id: string }) => {
        renders += 1;
        return useError(backend.getIssue, id === '' ? null : { id });
      },
      { wrapper: below(controller), initialProps: { id: 'a' } },
    );
    const fetch = async (): Promise<void> => {
      controller.fetch(backend.getIssue, { id: 'a' }).catch(() => undefined);
      await backend.settle();
    };
    await fetch();
    expect(result.current).toBeUndefined();
    expect(renders).toBe(1);
    backend.failure = failed(503);
    await fetch();
    expect(result.current).toBe(backend.failure);
    expect(controller.getResponse(backend.getIssue, { id: 'a' }).data).toBeDefined();
    rerender({ id: '' });
    expect(result.current).toBeUndefined();
    rerender({ id: 'a' });
    backend.failure = undefined;
    await fetch();
    expect(result.current).toBeUndefined();
    expect(renders).toBe(5);
  });
});

describe('useLoading', () => {
  /** Runs that the test ends. */
  let runs: { resolve: (value: string) => void; reject: (error: unknown) => void }[] = [];
  const run = (_what: string) => new Promise<string>((resolve, reject) => runs.push({ resolve, reject }));
  beforeEach(() => {
    runs = [];
  });

  it('useLoading reports a run as loading, and returns the function’s result', async () => {
    const { result } = renderHook(() => useLoading(run), { wrapper: StrictMode });
    const [start] = result.current;
    let given: Promise<string | undefined> | undefined;
    act(() => {
      given = start('x');
    });
    expect(result.current).toEqual([start, true, undefined]);
    await act(async () => runs[0]!.resolve('done'));
    expect(await given).toBe('done');
    expect(result.current).toEqual([start, false, undefined]);
    expect(result.current[0]).toBe(start);
  });

  it('useLoading keeps an error, which a handler need not catch, until the next run', async () => {
    const { result } = renderHook(() => useLoading(run));
    let given: Promise<string | undefined> | undefined;
    act(() => {
      given = result.current[0]('x');
    });
    await act(async () => runs[0]!.reject('no'));
    expect(await given).toBeUndefined();
    expect(result.current[2]).toMatchObject({ message: 'no', cause: 'no' });
    act(() => void result.current[0]('y'));
    expect(result.current.slice(1)).toEqual([true, undefined]);
  });

  it('useLoading keeps the result of the latest run, and ignores runs that end after the unmount', async () => {
    const { result, unmount } = renderHook(() => useLoading(run));
    act(() => void result.current[0]('first'));
    act(() => void result.current[0]('second'));
    await act(async () => runs[0]!.reject(new Error('late')));
    expect(result.current.slice(1)).toEqual([true, undefined]);
    await act(async () => runs[1]!.resolve('done'));
    expect(result.current.slice(1)).toEqual([false, undefined]);
    act(() => void result.current[0]('third'));
    unmount();
    await act(async () => runs[2]!.resolve('done'));
    expect(result.current.slice(1)).toEqual([true, undefined]);
  });

  it('useLoading runs the function of its deps', async () => {
    const { result, rerender } = renderHook(
      ({ name, dep }) => useLoading(async () => Promise.resolve(name), [dep]),
      { initialProps: { name: 'a', dep: 1 } },
    );
    const [start] = result.current;
    rerender({ name: 'b', dep: 1 });
    expect(result.current[0]).toBe(start);
    rerender({ name: 'c', dep: 2 });
    await act(async () => expect(await result.current[0]()).toBe('c'));
  });
});

describe('useDebounce', () => {
  it('useDebounce follows once the value has stayed the same for the delay', async () => {
    const { result, rerender, unmount } = renderHook(({ value }) => useDebounce(value, 20), {
      initialProps: { value: 'a' },
      wrapper: StrictMode,
    });
    expect(result.current).toEqual(['a', false]);
    for (const value of ['b', 'c', 'd']) {
      rerender({ value });
      expect(result.current).toEqual(['a', false]);
    }
    // The timer was started before this one, for no longer.
    await act(async () => new Promise((next) => setTimeout(next, 20)));
    expect(result.current).toEqual(['d', false]);
    rerender({ value: 'e' });
    rerender({ value: 'd' });
    await act(async () => new Promise((next) => setTimeout(next, 20)));
    expect(result.current).toEqual(['d', false]);
    unmount();
  });

  it('useDebounce keeps its value while it is disabled', async () => {
    const { result, rerender } = renderHook(({ value, may }) => useDebounce(value, 0, may), {
      initialProps: { value: 'a', may: false },
    });
    const wait = (): Promise<void> => act(async () => new Promise((next) => setTimeout(next, 5)));
    rerender({ value: 'b', may: false });
    await wait();
    expect(result.current).toEqual(['a', false]);
    rerender({ value: 'b', may: true });
    await wait();
    expect(result.current).toEqual(['b', false]);
  });

  it('useDebounce shows no other value if its value returns to the old one while another one loads', async () => {
    const shown: string[] = [];
    let setId: (id: string) => void = () => undefined;
    function Search(): ReactElement {
      const [id, set] = useState('a');
      setId = set;
      const [debounced, isPending] = useDebounce(id, 0);
      const { title } = useSuspense(backend.getIssue, { id: debounced });
      useEffect(() => void shown.push(isPending ? `${title}…` : title), [title, isPending]);
      return <p>{title}</p>;
    }
    const wait = () => act(async () => new Promise((next) => setTimeout(next, 5)));
    await show(new Controller(), <Search />);
    await backend.settle();
    for (const id of ['b', 'a']) {
      act(() => setId(id));
      await wait();
    }
    await backend.settle();
    await wait();
    expect(backend.requests).toEqual(['a', 'b']);
    expect(shown).toEqual(['one', 'one…', 'one']);
  });

  it('useDebounce debounces functions as values', async () => {
    const first = (): string => 'first';
    const second = (): string => 'second';
    const { result, rerender } = renderHook(({ value }) => useDebounce(value, 0), {
      initialProps: { value: first },
    });
    rerender({ value: second });
    await act(async () => new Promise((next) => setTimeout(next, 5)));
    expect(result.current[0]).toBe(second);
  });
});

describe('useOnline', () => {
  it('useOnline follows the environment of the controller, and is true on the server', () => {
    const environment = new Device();
    const wrapper = below(new Controller({ environment }));
    const { result, unmount } = renderHook(useOnline, { wrapper });
    expect(result.current).toBe(true);
    act(() => environment.change({ isOnline: false }));
    expect(result.current).toBe(false);
    unmount();
    expect(environment.listeners).toBe(0);
    const Status = (): ReactElement => <p>{String(useOnline())}</p>;
    expect(renderToString(wrapper({ children: <Status /> }))).toBe('<p>true</p>');
  });
});

describe('useSubscription and useLive', () => {
  /** The reads that are subscribed to. */
  let subscribed: string[] = [];
  const plugin: Plugin = {
    name: 'socket',
    subscribe({ key }: Read) {
      subscribed.push(key);
      return () => void (subscribed = subscribed.filter((other) => other !== key));
    },
  };
  beforeEach(() => {
    subscribed = [];
  });
  const key = (id: string) => backend.getIssue.key({ id });

  it('useSubscription subscribes once for all mounted components, and not with null args', async () => {
    const Follow = ({ id }: { id: string | null }): null => {
      useSubscription(backend.getIssue, id === null ? null : { id });
      return null;
    };
    const rerender = await show(
      new Controller({ plugins: [plugin] }),
      <StrictMode>
        <Follow id="a" />
        <Follow id="a" />
      </StrictMode>,
    );
    expect(subscribed).toEqual([key('a')]);
    await rerender(<Follow id="b" />);
    expect(subscribed).toEqual([key('b')]);
    await rerender(<Follow id={null} />);
    expect(subscribed).toEqual([]);
    expect(backend.requests).toEqual([]);
  });

  it('useSubscription polls at its interval, and keeps the subscription of a plugin, if each render creates its endpoint', async () => {
    // Holdfast warns of endpoints that are created at each render.
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const time = new FakeTime();
    const options = { now: time.now, schedule: time.schedule, environment: new Device() };
    const getPolled = backend.getIssue.extend({ pollFrequency: 5_000 });
    const Follow = (): null => {
      useSubscription(getPolled.extend({}), { id: 'a' });
      return null;
    };
    const rerender = await show(new Controller(options), <Follow />);
    for (let second = 0; second < 12; second++) {
      await time.pass(1_000);
      await rerender(<Follow />);
      await backend.settle();
    }
    expect(backend.requests).toEqual(['a', 'a']);

    let subscriptions = 0;
    const socket: Plugin = {
      name: 'socket',
      subscribe: (read) => (subscriptions++, plugin.subscribe?.(read)),
    };
    const again = await show(new Controller({ ...options, plugins: [socket] }), <Follow />);
    await again(<Follow />);
    expect(subscriptions).toBe(1);
    expect(subscribed).toEqual([key('a')]);
    await again(null);
    expect(subscribed).toEqual([]);
    warn.mockRestore();
  });

  it('useLive suspends, then follows; a transition around an invalidation keeps the screen', async () => {
    const { startTransition } = await import('react');
    const controller = new Controller({ plugins: [plugin] });
    const Live = (): ReactElement => <p>{useLive(backend.getIssue, { id: 'a' }).title}</p>;
    const rerender = await show(controller, <Live />);
    expect(text()).toBe('waiting');
    expect(subscribed).toEqual([]);
    await backend.settle();
    expect(text()).toBe('one');
    expect(subscribed).toEqual([key('a')]);
    backend.titles['a'] = 'new';
    await act(async () => startTransition(() => controller.invalidate(backend.getIssue, { id: 'a' })));
    expect(text()).toBe('one');
    await backend.settle();
    expect(text()).toBe('new');
    await rerender(null);
    await turn();
    expect(subscribed).toEqual([]);
  });
});
