/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup } from '@testing-library/react';
import { Controller, Delete, Endpoint } from 'holdfast';
import { useDLE, useSuspense } from 'holdfast/react';
import { StrictMode, type ReactElement } from 'react';
import { Backend, Device, failed, show, text } from './Backend.tsx';
import { IssueWithAuthor, User } from '../support/entities.ts';

let backend = new Backend();
let now = 0;
/** What each render was given. */
let given: ReturnType<typeof useDLE>[] = [];
const newController = (environment = new Device()) => new Controller({ now: () => now, environment });

function View({
  id,
  endpoint = backend.getIssue,
}: {
  id: string | null;
  endpoint?: typeof backend.getIssue;
}): ReactElement {
  const state = useDLE(endpoint, id === null ? null : { id });
  given.push(state);
  const { data, loading, error, refreshing } = state;
  if (loading) return <p>loading</p>;
  if (error) return <p>{error.message}</p>;
  return (
    <p>
      {data?.title ?? 'nothing'}
      {refreshing && ' refreshing'}
    </p>
  );
}

beforeEach(() => {
  backend = new Backend();
  now = 1_000;
  given = [];
});
afterEach(cleanup);

describe('useDLE', () => {
  it('useDLE fetches on mount and shows the data, in two renders', async () => {
    await show(newController(), <View id="a" />);
    expect(text()).toBe('loading');
    await backend.settle();
    expect(text()).toBe('one');
    expect(given.map(({ data, loading, error, refreshing }) => [data, loading, error, refreshing])).toEqual([
      [undefined, true, undefined, false],
      [expect.objectContaining({ id: 'a' }), false, undefined, false],
    ]);
    expect(backend.requests).toEqual(['a']);
  });

  it('useDLE reads nothing with null args', async () => {
    const rerender = await show(newController(), <View id={null} />);
    expect(text()).toBe('nothing');
    expect(backend.requests).toEqual([]);
    await rerender(<View id="b" />);
    expect(text()).toBe('loading');
    await backend.settle();
    expect(text()).toBe('two');
    expect(backend.requests).toEqual(['b']);
  });

  it('useDLE shows stale data while it is refreshing, in two renders', async () => {
    const controller = newController();
    const rerender = await show(controller, <View id="a" />);
    await backend.settle();
    await rerender(null);
    now += 60_001;
    backend.titles['a'] = 'new';
    given = [];
    await rerender(<View id="a" />);
    expect(text()).toBe('one refreshing');
    await backend.settle();
    expect(text()).toBe('new');
    expect(given).toHaveLength(2);
    expect(backend.requests).toEqual(['a', 'a']);
  });

  it('useDLE renders again only for its refreshing state when a refresh changes nothing, and useSuspense not at all', async () => {
    let renders = 0;
    function Suspending(): ReactElement {
      renders += 1;
      return <p>{useSuspense(backend.getIssue, { id: 'a' }).title}</p>;
    }
    const controller = newController();
    await show(
      controller,
      <>
        <View id="a" />
        <Suspending />
      </>,
    );
    await backend.settle();
    given = [];
    renders = 0;
    await act(async () => void controller.fetch(backend.getIssue, { id: 'a' }));
    expect(text()).toBe('one refreshingone');
    await backend.settle();
    expect(given.map(({ refreshing }) => refreshing)).toEqual([true, false]);
    expect(renders).toBe(0);
  });

  it('useDLE returns the same object while nothing in it has changed', async () => {
    const controller = newController();
    const rerender = await show(controller, <View id="a" />);
    await backend.settle();
    given = [];
    await rerender(<View id="a" />);
    act(() => controller.set(IssueWithAuthor, { id: 'other' }, { title: 'x' }));
    expect(given).toHaveLength(1);
    await rerender(<View id="a" />);
    expect(given[0]).toBe(given[1]);
    act(() => controller.set(User, { id: 'u' }, { name: 'Eve' }));
    expect(given).toHaveLength(3);
  });

  it('useDLE returns the error of a read without data, and data in spite of a soft error', async () => {
    const controller = newController();
    await show(controller, <View id="none" />);
    await backend.settle();
    expect(text()).toBe('no issue none');
    expect(backend.requests).toEqual(['none']);
    cleanup();
    await show(controller, <View id="a" />);
    await backend.settle();
    backend.failure = failed(500);
    await act(async () => void controller.fetch(backend.getIssue, { id: 'a' }).catch(() => undefined));
    await backend.settle();
    expect(text()).toBe('one');
    backend.failure = failed(403);
    await act(async () => void controller.fetch(backend.getIssue, { id: 'a' }).catch(() => undefined));
    await backend.settle();
    expect(text()).toBe('status 403');
  });

  it('useDLE keeps an error until it is mounted again after the error has expired', async () => {
    const controller = newController();
    const rerender = await show(controller, <View id="none" />);
    await backend.settle();
    now += 1_001;
    await rerender(<View id="none" />);
    expect(text()).toBe('no issue none');
    await rerender(null);
    await rerender(<View id="none" />);
    expect(text()).toBe('loading');
    await backend.settle();
    expect(text()).toBe('no issue none');
    expect(backend.requests).toEqual(['none', 'none']);
  });

  it('useDLE retries when the network is back', async () => {
    const device = new Device();
    await show(
      newController(device),
      <View id="a" endpoint={backend.getIssue.extend({ errorExpiryLength: Infinity })} />,
    );
    device.isOnline = false;
    backend.failure = failed(0, 'no connection');
    await backend.settle();
    expect(text()).toBe('no connection');
    backend.failure = undefined;
    await act(async () => device.change({ isOnline: true }));
    expect(text()).toBe('loading');
    await backend.settle();
    expect(text()).toBe('one');
    cleanup();
    expect(device.listeners).toBe(0);
  });

  it('useDLE retries a failed connection when the page becomes visible again', async () => {
    const device = new Device();
    backend.failure = failed(0, 'no connection');
    await show(
      newController(device),
      <View id="a" endpoint={backend.getIssue.extend({ errorExpiryLength: Infinity })} />,
    );
    await backend.settle();
    expect(text()).toBe('no connection');
    backend.failure = undefined;
    for (const isVisible of [false, true]) await act(async () => device.change({ isVisible }));
    await backend.settle();
    expect(text()).toBe('one');
  });

  it('useDLE fetches again what was invalidated or deleted', async () => {
    const controller = newController();
    const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
      name: 'remove',
      schema: new Delete(IssueWithAuthor),
      sideEffect: true,
    });
    await show(controller, <View id="a" />);
    await backend.settle();
    await act(async () => controller.invalidate(backend.getIssue, { id: 'a' }));
    expect(text()).toBe('loading');
    await backend.settle();
    expect(text()).toBe('one');
    await act(async () => {
      await controller.fetch(remove, { id: 'a' });
    });
    expect(text()).toBe('loading');
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a', 'a', 'a']);
  });

  it('useDLE does not wait forever for a response that an invalidation made obsolete', async () => {
    const controller = newController();
    await show(controller, <View id="a" />);
    await act(async () => controller.invalidate(backend.getIssue, { id: 'a' }));
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a', 'a']);
  });

  it('useDLE does not fetch what a deletion removes from the screen', async () => {
    const controller = newController();
    function List(): ReactElement {
      const ids = ['a', 'b'];
      const shown = useDLE(listOf(ids));
      return (
        <>
          {shown.data?.map(({ id }) => (
            <View key={id} id={id} />
          ))}
        </>
      );
    }
    const list = new Endpoint(async () => [{ id: 'a', title: 'one' }], {
      name: 'list',
      schema: [IssueWithAuthor],
    });
    const listOf = (_ids: string[]) => list;
    await show(controller, <List />);
    await backend.settle();
    expect(text()).toBe('one');
    const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
      name: 'remove',
      schema: new Delete(IssueWithAuthor),
      sideEffect: true,
    });
    await act(async () => {
      await controller.fetch(remove, { id: 'a' });
    });
    await backend.settle();
    expect(text()).toBe('');
    expect(backend.requests).toEqual([]);
  });

  it.each<[string, { dataExpiryLength: number; invalidIfStale?: boolean }]>([
    ['is stale at once', { dataExpiryLength: 0 }],
    ['and must not be shown stale', { dataExpiryLength: 0, invalidIfStale: true }],
  ])('useDLE fetches once for each mount for what %s', async (_what, options) => {
    const endpoint = backend.getIssue.extend({ invalidIfStale: false, ...options });
    const rerender = await show(newController(), <View id="a" endpoint={endpoint} />);
    await backend.settle();
    expect(text()).toBe('one');
    await rerender(<View id="a" endpoint={endpoint} />);
    expect(text()).toBe('one');
    await rerender(null);
    await rerender(<View id="a" endpoint={endpoint} />);
    expect(text()).toBe(options.invalidIfStale ? 'loading' : 'one refreshing');
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a', 'a']);
  });

  it('useDLE fetches once in Strict Mode', async () => {
    await show(
      newController(),
      <StrictMode>
        <View id="a" />
      </StrictMode>,
    );
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a']);
  });
});
