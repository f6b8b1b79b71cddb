/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { Controller, Endpoint, Entity } from 'holdfast';
import {
  ErrorBoundary,
  type ErrorFallbackProps,
  useCache,
  useController,
  useDLE,
  useFetch,
  useLive,
  useSuspense,
} from 'holdfast/react';
import { render } from '@testing-library/react';
import * as React from 'react';
import {
  Fragment,
  StrictMode,
  Suspense,
  startTransition,
  useEffect,
  useState,
  type ReactElement,
} from 'react';
import { IssueWithAuthor } from '../../support/entities.ts';
import { Backend, Device, failed, show, text } from '../Backend.tsx';

/** Absent before React 19.2. */
const Activity = 'Activity' in React ? React.Activity : undefined;

let backend = new Backend();
let now = 0;
const { error } = console;
beforeEach(() => {
  backend = new Backend();
  now = 1_000;
  // React reports every error that a boundary catches.
  console.error = () => undefined;
});
afterEach(() => {
  cleanup();
  console.error = error;
});

function Title({ id }: { id: string }): ReactElement {
  return <p>{useSuspense(backend.getIssue, { id }).title}</p>;
}

describe('expireAll', () => {
  it('expireAll removes data with invalidIfStale from every mounted reader, which fetch it once', async () => {
    const getQuote = backend.getIssue.extend({ invalidIfStale: true, dataExpiryLength: Infinity });
    const Quote = ({ id }: { id: string }): ReactElement => <p>{useSuspense(getQuote, { id }).title}</p>;
    const Peek = ({ id }: { id: string }): ReactElement => <i>{useCache(getQuote, { id })?.title}</i>;
    const controller = new Controller({ now: () => now });
    await show(
      controller,
      <>
        <Suspense fallback="waiting">
          <Quote id="a" />
        </Suspense>
        <Peek id="a" />
        <Title id="b" />
      </>,
    );
    await backend.settle();
    expect(text()).toBe('oneonetwo');
    backend.titles['a'] = 'new';
    await act(async () => controller.expireAll({ testKey: () => true }));
    expect(text()).toContain('waiting');
    await backend.settle();
    expect(text()).toBe('newnewtwo');
    // Data that may be shown stale is not fetched.
    expect(backend.requests).toEqual(['a', 'b', 'a']);
  });
});

it('expireAll keeps the screen while a transition loads what was invalidated', async () => {
  const controller = new Controller({ now: () => now });
  await show(controller, <Title id="a" />);
  await backend.settle();
  backend.titles['a'] = 'new';
  await act(async () => startTransition(() => controller.invalidate(backend.getIssue, { id: 'a' })));
  await act(async () => controller.expireAll({ testKey: () => true }));
  expect(text()).toBe('one');
  await backend.settle();
  expect(text()).toBe('new');
  expect(backend.requests).toEqual(['a', 'a']);
});

describe('requests', () => {
  it('a component that waits for a response requests it again at a reset, without waiting for the old one', async () => {
    let user = 'ada';
    const getName = new Endpoint(
      () => (user === 'ada' ? new Promise<string>(() => undefined) : Promise.resolve(user)),
      { name: 'getName' },
    );
    const Name = (): ReactElement => <p>{useSuspense(getName)}</p>;
    const controller = new Controller();
    await show(
      controller,
      <Suspense fallback="waiting">
        <Name />
      </Suspense>,
    );
    expect(text()).toBe('waiting');
    user = 'grace';
    await act(() => controller.reset());
    await act(async () => undefined);
    expect(text()).toBe('grace');
  });

  it('a component that waits for a response requests it again at an invalidation, without waiting for the old one', async () => {
    let version = 1;
    const getName = new Endpoint(
      () => (version === 1 ? new Promise<string>(() => undefined) : Promise.resolve('second')),
      { name: 'getName' },
    );
    const Name = (): ReactElement => <p>{useSuspense(getName)}</p>;
    const controller = new Controller();
    await show(
      controller,
      <Suspense fallback="waiting">
        <Name />
      </Suspense>,
    );
    expect(text()).toBe('waiting');
    version = 2;
    await act(async () => controller.invalidate(getName));
    await waitFor(() => expect(text()).toBe('second'));
  });

  it('a component that waits for a slow response shows data that arrives from elsewhere', async () => {
    const controller = new Controller();
    await show(
      controller,
      <>
        <Suspense fallback="waiting">
          <Title id="a" />
        </Suspense>
        <Suspense fallback="waiting">
          <Title id="b" />
        </Suspense>
      </>,
    );
    // As from a list, a socket or another tab.
    const issue = { id: 'a', title: 'from elsewhere', author: { id: 'u', name: 'Ann' } };
    await act(async () => controller.set(IssueWithAuthor, { id: 'a' }, issue));
    // React shows nothing new within 300 ms of a fallback.
    await waitFor(() => expect(screen.getByText('from elsewhere')).toBeTruthy());
    expect(screen.getAllByText('waiting')).toHaveLength(1);
    expect(backend.requests).toEqual(['a', 'b']);
    await backend.settle();
    await waitFor(() => expect(text()).toBe('from elsewheretwo'));
    expect(backend.requests).toEqual(['a', 'b']);
  });

  it.each([
    ['in boundaries of their own', Suspense],
    ['in one boundary, where the first to suspend asks for all that fetch ahead', Fragment],
  ])('requests of siblings start together, %s', async (_where, Around) => {
    function Ahead(): ReactElement {
      const controller = useController();
      for (const id of ['a', 'b', 'c']) void controller.fetchIfStale(backend.getIssue, { id });
      return (
        <>
          {['a', 'b', 'c'].map((id) => (
            <Around key={id}>
              <Title id={id} />
            </Around>
          ))}
        </>
      );
    }
    function Siblings(): ReactElement {
      return (
        <>
          {['a', 'b', 'c'].map((id) => (
            <Around key={id}>
              <Title id={id} />
            </Around>
          ))}
        </>
      );
    }
    await show(new Controller(), Around === Suspense ? <Siblings /> : <Ahead />);
    expect(backend.requests).toEqual(['a', 'b', 'c']);
    await backend.settle();
    expect(text()).toBe('onetwothree');
    expect(backend.requests).toEqual(['a', 'b', 'c']);
  });

  it('requests of siblings without a boundary between them start before the first response', async () => {
    await show(
      new Controller(),
      <>
        <Title id="a" />
        <Title id="b" />
      </>,
    );
    // React 18 renders the siblings of what suspends at once, React 19 after it has shown the fallback.
    expect(backend.requests).toEqual(['a', 'b']);
    await backend.settle();
    expect(text()).toBe('onetwo');
  });

  it.each([
    ['', Fragment],
    [' in Strict Mode', StrictMode],
  ])('one request is made for first renders that are discarded%s', async (_mode, Mode) => {
    let renders = 0;
    function Discarded(): ReactElement {
      renders += 1;
      return <Title id="a" />;
    }
    const tree = (
      <Mode>
        <Discarded />
        <Title id="a" />
      </Mode>
    );
    const rerender = await show(new Controller(), tree);
    for (let times = 0; times < 5; times++) await rerender(tree);
    expect(renders).toBeGreaterThan(1);
    await backend.settle();
    expect(backend.requests).toEqual(['a']);
  });

  it('requests are not repeated forever if no response is valid', async () => {
    class Strict extends Entity {
      id = '';
      static override key = 'Strict';
      static override validate(): string {
        return 'never good enough';
      }
    }
    let requests = 0;
    const getStrict = new Endpoint(
      async ({ id }: { id: string }) => {
        requests += 1;
        return Promise.resolve({ id });
      },
      { name: 'getStrict', schema: Strict },
    );
    const Read = (): ReactElement => <p>{useSuspense(getStrict, { id: '1' }).id}</p>;
    const Load = (): ReactElement => <p>{useDLE(getStrict, { id: '2' }).error?.message}</p>;
    await show(new Controller(), <Read />);
    await backend.settle();
    expect(text()).toContain('never good enough');
    expect(requests).toBe(1);
    cleanup();
    await show(new Controller(), <Load />);
    await backend.settle();
    expect(text()).toContain('never good enough');
    expect(requests).toBe(2);
  });
});

describe('boundaries', () => {
  it('boundaries recover when the network is back, before the error has expired', async () => {
    const environment = new Device();
    const getIssue = backend.getIssue.extend({ errorExpiryLength: Infinity });
    const Offline = (): ReactElement => <p>{useSuspense(getIssue, { id: 'a' }).title}</p>;
    const controller = new Controller({ now: () => now, environment });
    const rerender = await show(controller, <Offline />);
    environment.isOnline = false;
    backend.failure = failed(0, 'no connection');
    await backend.settle();
    expect(screen.getByRole('alert').textContent).toBe('no connection');
    backend.failure = undefined;
    await act(async () => environment.change({ isVisible: false }));
    await rerender(<Offline />);
    expect(text()).toBe('no connection');
    expect(backend.requests).toEqual(['a']);
    await act(async () => environment.change({ isOnline: true }));
    expect(text()).toBe('waiting');
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a', 'a']);
    cleanup();
    expect(environment.listeners).toBe(0);
  });

  it('boundaries recover from a failed connection when the page becomes visible again, as after a suspension', async () => {
    const environment = new Device();
    backend.failure = failed(0, 'no connection');
    await show(new Controller({ now: () => now, environment }), <Title id="a" />);
    await backend.settle();
    expect(text()).toBe('no connection');
    for (const isVisible of [false, true]) await act(async () => environment.change({ isVisible }));
    await backend.settle();
    expect(text()).toBe('no connection');
    expect(backend.requests).toEqual(['a', 'a']);
    backend.failure = undefined;
    for (const isVisible of [false, true]) await act(async () => environment.change({ isVisible }));
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a', 'a', 'a']);
  });

  it('boundaries request failed reads again when reset, whether or not the error has expired', async () => {
    const reset = { now: (): void => undefined };
    const Failure = ({ error, resetErrorBoundary }: ErrorFallbackProps): ReactElement => {
      reset.now = resetErrorBoundary;
      return <p>{error.message}</p>;
    };
    await show(
      new Controller({ now: () => now }),
      <ErrorBoundary fallbackComponent={Failure}>
        <Title id="none" />
      </ErrorBoundary>,
    );
    await backend.settle();
    for (const passed of [999, 1_000]) {
      now += passed;
      await act(async () => reset.now());
      await backend.settle();
    }
    expect(text()).toBe('no issue none');
    expect(backend.requests).toEqual(['none', 'none', 'none']);
  });

  it('boundaries keep errors with other causes when the network is back', async () => {
    const environment = new Device();
    await show(new Controller({ environment }), <Title id="none" />);
    await backend.settle();
    await act(async () => environment.change({ isOnline: false }));
    await act(async () => environment.change({ isOnline: true }));
    expect(text()).toBe('no issue none');
    expect(backend.requests).toEqual(['none']);
  });

  it('boundaries resubscribe when their sources change, and unsubscribe when they have none', async () => {
    const calls: string[] = [];
    const resets: (() => void)[] = [];
    const listenTo =
      (name: string) =>
      (reset: () => void): (() => void) => {
        calls.push(name);
        resets.push(reset);
        return () => void calls.push(`not ${name}`);
      };
    const [a, b] = [listenTo('a'), listenTo('b')];
    let isFailing = true;
    const Failing = (): string => {
      if (isFailing) throw new Error('failing');
      return 'fine';
    };
    const bounded = (listen?: typeof a): ReactElement => (
      <ErrorBoundary {...(listen && { listen })}>
        <Failing />
      </ErrorBoundary>
    );
    const { rerender, unmount } = render(bounded(a));
    rerender(bounded(a));
    rerender(bounded(b));
    expect(calls).toEqual(['a', 'not a', 'b']);
    isFailing = false;
    act(() => resets[1]?.());
    expect(text()).toBe('fine');
    rerender(bounded());
    rerender(bounded(a));
    unmount();
    expect(calls).toEqual(['a', 'not a', 'b', 'not b', 'a', 'not a']);
  });

  it('boundaries work without a provider', () => {
    const Failing = (): never => {
      throw failed(0, 'no connection');
    };
    render(
      <ErrorBoundary>
        <Failing />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('alert').textContent).toContain('This could not be loaded.');
  });
});

describe('useSuspense with args that were null for a while', () => {
  it('fetches data that has become stale, and shows it until the new data arrives', async () => {
    const controller = new Controller({ now: () => now });
    const Maybe = ({ id }: { id: string | null }): ReactElement => (
      <p>{useSuspense(backend.getIssue, id === null ? null : { id })?.title ?? 'nothing'}</p>
    );
    const rerender = await show(controller, <Maybe id="a" />);
    await backend.settle();
    await rerender(<Maybe id={null} />);
    expect(text()).toBe('nothing');
    now += 60_001;
    backend.titles['a'] = 'new';
    await rerender(<Maybe id="a" />);
    expect(text()).toBe('one');
    await backend.settle();
    expect(text()).toBe('new');
    expect(backend.requests).toEqual(['a', 'a']);
  });

  it('suspends instead of showing stale data with invalidIfStale', async () => {
    const controller = new Controller({ now: () => now });
    const getQuote = backend.getIssue.extend({ invalidIfStale: true });
    const Maybe = ({ id }: { id: string | null }): ReactElement => (
      <p>{useSuspense(getQuote, id === null ? null : { id })?.title ?? 'nothing'}</p>
    );
    const rerender = await show(controller, <Maybe id="a" />);
    await backend.settle();
    await rerender(<Maybe id={null} />);
    now += 60_001;
    backend.titles['a'] = 'new';
    await rerender(<Maybe id="a" />);
    expect(document.body.textContent).toContain('waiting');
    await backend.settle();
    expect(text()).toBe('new');
    expect(backend.requests).toEqual(['a', 'a']);
  });
});

if (Activity !== undefined) {
  const Screen = Activity;
  /** Made once for each server. */
  const polledOf = new WeakMap<Backend, Backend['getIssue']>();
  const polled = (): Backend['getIssue'] => {
    const found = polledOf.get(backend) ?? backend.getIssue.extend({ pollFrequency: 1_000 });
    polledOf.set(backend, found);
    return found;
  };

  describe('a hidden Activity', () => {
    it.each<[string, (renders: () => void) => ReactElement]>([
      [
        'useSuspense',
        (renders) => {
          renders();
          return <p>{useSuspense(backend.getIssue, { id: 'a' }).title}</p>;
        },
      ],
      [
        'useDLE',
        (renders) => {
          renders();
          return <p>{useDLE(backend.getIssue, { id: 'a' }).data?.title}</p>;
        },
      ],
      [
        'useLive',
        (renders) => {
          renders();
          return <p>{useLive(polled(), { id: 'a' }).title}</p>;
        },
      ],
    ])(
      'a hidden Activity neither fetches, renders nor polls, and is fresh when shown: %s',
      async (_name, read) => {
        const environment = new Device();
        /** What is to run later. */
        const scheduled = new Set<() => void>();
        const schedule = (run: () => void): (() => void) => {
          scheduled.add(run);
          return () => void scheduled.delete(run);
        };
        const controller = new Controller({ now: () => now, environment, schedule, gcTime: Infinity });
        let renders = 0;
        let setMode: (mode: 'visible' | 'hidden') => void = () => undefined;
        const Reading = (): ReactElement => read(() => (renders += 1));
        function Page(): ReactElement {
          const [mode, set] = useState<'visible' | 'hidden'>('visible');
          setMode = set;
          return (
            <Screen mode={mode}>
              <Reading />
            </Screen>
          );
        }
        await show(controller, <Page />);
        await backend.settle();
        expect(text()).toBe('one');
        expect(scheduled.size).toBe(_name === 'useLive' ? 1 : 0);
        await act(async () => setMode('hidden'));
        await backend.settle();
        expect(scheduled.size).toBe(0);
        expect(controller.mountedReads()).toEqual([]);
        renders = 0;
        now += 60_001;
        backend.titles['a'] = 'new';
        await act(async () => controller.invalidate(backend.getIssue, { id: 'a' }));
        await backend.settle();
        expect(renders).toBe(0);
        expect(backend.requests).toEqual(['a']);
        await act(async () => setMode('visible'));
        await backend.settle();
        expect(text()).toBe('new');
        expect(backend.requests).toEqual(['a', 'a']);
      },
    );

    /** Shows a component, hides it, lets its data become stale, and shows it again. */
    async function showAgain(Reading: () => ReactElement): Promise<void> {
      let setMode: (mode: 'visible' | 'hidden') => void = () => undefined;
      function Page(): ReactElement {
        const [mode, set] = useState<'visible' | 'hidden'>('visible');
        setMode = set;
        return (
          <Screen mode={mode}>
            <Reading />
          </Screen>
        );
      }
      await show(new Controller({ now: () => now }), <Page />);
      await backend.settle();
      await act(async () => setMode('hidden'));
      now += 60_001;
      backend.titles['a'] = 'new';
      await act(async () => setMode('visible'));
      await backend.settle();
    }

    it.each<[string, (endpoint: Backend['getIssue']) => string | undefined]>([
      ['useSuspense', (endpoint) => useSuspense(endpoint, { id: 'a' }).title],
      ['useDLE', (endpoint) => useDLE(endpoint, { id: 'a' }).data?.title],
      ['useFetch', (endpoint) => React.use(useFetch(endpoint, { id: 'a' })).title],
    ])('a hidden Activity is not shown again with stale data of invalidIfStale: %s', async (_name, read) => {
      const endpoint = backend.getIssue.extend({ invalidIfStale: true });
      const shown: (string | undefined)[] = [];
      await showAgain(() => {
        const title = read(endpoint);
        useEffect(() => void shown.push(title));
        return <p>{title}</p>;
      });
      expect(text()).toBe('new');
      expect(shown.filter((title, at) => title !== undefined && title !== shown[at - 1])).toEqual([
        'one',
        'new',
      ]);
      expect(shown.lastIndexOf('one')).toBe(shown.indexOf('one'));
      expect(backend.requests).toEqual(['a', 'a']);
    });

    it.each<[string, (endpoint: Endpoint<() => Promise<string>>) => string]>([
      ['useSuspense', (endpoint) => useSuspense(endpoint)],
      ['useFetch', (endpoint) => React.use(useFetch(endpoint))],
    ])(
      'a hidden Activity that its parent renders again requests invalidated data once, even if that fails: %s',
      async (_name, read) => {
        let requests = 0;
        let isDown = false;
        const getTitle = new Endpoint(
          async () => {
            requests += 1;
            if (requests > 5) return new Promise<string>(() => undefined); // ends a loop
            if (isDown) throw failed(503);
            return 'one';
          },
          { name: 'getTitle' },
        );
        const controller = new Controller({ now: () => now });
        const Reading = (): ReactElement => <p>{read(getTitle)}</p>;
        const page = (mode: 'visible' | 'hidden'): ReactElement => (
          <Screen mode={mode}>
            <Reading />
          </Screen>
        );
        const rerender = await show(controller, page('visible'));
        await backend.settle();
        await rerender(page('hidden'));
        isDown = true;
        await act(async () => controller.invalidate(getTitle));
        await rerender(page('hidden'));
        await backend.settle();
        expect(requests).toBe(2);
      },
    );

    it('a hidden Activity fetches stale data when shown again, also by an endpoint that each render creates', async () => {
      await showAgain(() => {
        const endpoint = backend.getIssue.extend({ errorExpiryLength: 0 });
        return <p>{useSuspense(endpoint, { id: 'a' }).title}</p>;
      });
      expect(text()).toBe('new');
      expect(backend.requests).toEqual(['a', 'a']);
    });
  });
}
