/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { AsyncBoundary, useFetch } from 'holdfast/react';
import * as React from 'react';
import { memo, StrictMode, startTransition, useEffect, useState, type ReactElement } from 'react';
import { Backend, Device, failed, show, text } from './Backend.tsx';
import { Issue, IssueWithAuthor } from '../support/entities.ts';

/** Absent in React 18. */
const react: { readonly use?: typeof React.use } = React;

let backend = new Backend();
let now = 0;
/** The promise of each render. */
let given: (Promise<IssueWithAuthor> | undefined)[] = [];
const newController = (environment = new Device()) => new Controller({ now: () => now, environment });

function Owner({ id }: { id: string | null }): ReactElement {
  given.push(useFetch(backend.getIssue, id === null ? null : { id }));
  return <p>owner</p>;
}

beforeEach(() => {
  backend = new Backend();
  now = 1_000;
  given = [];
});
afterEach(cleanup);

describe('useFetch', () => {
  it('useFetch returns a promise that stays the same until the data changes', async () => {
    const controller = newController();
    const rerender = await show(controller, <Owner id="a" />);
    await rerender(<Owner id="a" />);
    await backend.settle();
    await rerender(<Owner id="a" />);
    expect(backend.requests).toEqual(['a']);
    expect(new Set(given).size).toBe(1);
    expect(await given[0]).toBe(controller.get(IssueWithAuthor, { id: 'a' }));
    act(() => controller.set(IssueWithAuthor, { id: 'a' }, { title: 'new' }));
    expect(new Set(given).size).toBe(2);
    expect(await given.at(-1)).toBe(controller.get(IssueWithAuthor, { id: 'a' }));
  });

  it('useFetch returns undefined with null args, and requests nothing', async () => {
    await show(newController(), <Owner id={null} />);
    expect(given).toEqual([undefined]);
    expect(backend.requests).toEqual([]);
  });

  it('useFetch returns a fulfilled promise for cached data, stale or not', async () => {
    const controller = newController();
    controller.setResponse(backend.getIssue, { id: 'a' }, { id: 'a', title: 'old', author: { id: 'u' } });
    now += 60_001;
    await show(controller, <Owner id="a" />);
    expect(given[0]).toMatchObject({ status: 'fulfilled', value: { title: 'old' } });
    await backend.settle();
    expect(backend.requests).toEqual(['a']);
    expect(given.at(-1)).toMatchObject({ status: 'fulfilled', value: { title: 'one' } });
  });

  it('useFetch rejects with the error, and not again at each render', async () => {
    const rerender = await show(newController(), <Owner id="none" />);
    await backend.settle();
    await expect(given.at(-1)).rejects.toThrow('no issue none');
    now += 5_000;
    await rerender(<Owner id="none" />);
    expect(new Set(given).size).toBe(1);
    expect(backend.requests).toEqual(['none']);
  });

  it('useFetch returns a new promise when its data was invalidated, also while it is loading', async () => {
    const controller = newController();
    await show(controller, <Owner id="a" />);
    await backend.settle();
    backend.titles['a'] = 'new';
    await act(async () => controller.invalidate(backend.getIssue, { id: 'a' }));
    await act(async () => controller.invalidate(backend.getIssue, { id: 'a' }));
    await backend.settle();
    expect(await given.at(-1)).toMatchObject({ title: 'new' });
    expect(given.at(-1)).not.toBe(given[0]);
  });

  it('useFetch gives readers of one request their data by their own schemas', async () => {
    const getSummary = backend.getIssue.extend({ schema: Issue });
    let summary: Promise<Issue> | undefined;
    function Both(): ReactElement {
      given.push(useFetch(backend.getIssue, { id: 'a' }));
      summary = useFetch(getSummary, { id: 'a' });
      return <p />;
    }
    await show(newController(), <Both />);
    await backend.settle();
    expect(await given[0]).toBeInstanceOf(IssueWithAuthor);
    expect(await summary).toBeInstanceOf(Issue);
    expect(backend.requests).toEqual(['a']);
  });

  it('useFetch fetches once in Strict Mode, with one promise', async () => {
    await show(
      newController(),
      <StrictMode>
        <Owner id="a" />
      </StrictMode>,
    );
    await backend.settle();
    expect(backend.requests).toEqual(['a']);
    expect(new Set(given).size).toBe(1);
  });
});

if (react.use !== undefined) {
  const { use } = react;
  const Title = memo(function Title({ promise }: { promise: Promise<IssueWithAuthor> }): ReactElement {
    return <p>{use(promise).title}</p>;
  });
  function Parent({ id }: { id: string }): ReactElement {
    const promise = useFetch(backend.getIssue, { id });
    given.push(promise);
    return (
      <AsyncBoundary fallback="below" errorComponent={({ error }) => <p>{error.message}</p>}>
        <Title promise={promise} />
      </AsyncBoundary>
    );
  }
  function Alone(): ReactElement {
    const promise = useFetch(backend.getIssue, { id: 'a' });
    given.push(promise);
    return <p>{use(promise).title}</p>;
  }

  describe('useFetch with use()', () => {
    it('useFetch starts several reads of one component in parallel', async () => {
      function Two(): ReactElement {
        const first = useFetch(backend.getIssue, { id: 'a' });
        const second = useFetch(backend.getIssue, { id: 'b' });
        return <p>{`${use(first).title} ${use(second).title}`}</p>;
      }
      await show(newController(), <Two />);
      expect(backend.requests).toEqual(['a', 'b']);
      await backend.settle();
      expect(text()).toBe('one two');
      expect(backend.requests).toEqual(['a', 'b']);
    });

    it.each([
      ['as it is', (children: ReactElement) => children],
      ['in Strict Mode', (children: ReactElement) => <StrictMode>{children}</StrictMode>],
    ])('useFetch keeps its promise while first renders are discarded, %s', async (_mode, wrap) => {
      const { error } = console;
      const reported: unknown[] = [];
      // React reports a render that it repeats after the wait, if that waits for another promise.
      console.error = (report: unknown) => void reported.push(report);
      await show(newController(), wrap(<Alone />));
      expect(text()).toBe('waiting');
      const pending = new Set(given);
      await backend.settle();
      expect(text()).toBe('one');
      console.error = error;
      expect(pending.size).toBe(1);
      expect(reported).toEqual([]);
      expect(backend.requests).toEqual(['a']);
    });

    it('useFetch does not suspend for stored data', async () => {
      const controller = newController();
      controller.setResponse(backend.getIssue, { id: 'a' }, { id: 'a', title: 'old', author: { id: 'u' } });
      let fallbacks = 0;
      function Fallback(): ReactElement {
        fallbacks += 1;
        return <p />;
      }
      await show(
        controller,
        <AsyncBoundary fallback={<Fallback />}>
          <Alone />
        </AsyncBoundary>,
      );
      expect(text()).toBe('old');
      act(() => controller.set(IssueWithAuthor, { id: 'a' }, { title: 'newer' }));
      expect(text()).toBe('newer');
      expect(fallbacks).toBe(0);
    });

    it('useFetch shows the fallback after a plain invalidation, and keeps the screen in a transition', async () => {
      const controller = newController();
      await show(controller, <Parent id="a" />);
      await backend.settle();
      expect(text()).toBe('one');
      backend.titles['a'] = 'new';
      await act(async () => controller.invalidate(backend.getIssue, { id: 'a' }));
      expect(document.body.innerHTML).toContain('below');
      await backend.settle();
      expect(text()).toBe('new');
      backend.titles['a'] = 'newer';
      await act(async () => startTransition(() => controller.invalidate(backend.getIssue, { id: 'a' })));
      expect(text()).toBe('new');
      await backend.settle();
      expect(text()).toBe('newer');
      expect(backend.requests).toEqual(['a', 'a', 'a']);
    });

    it('useFetch keeps the promise of the old screen while a transition waits for another one', async () => {
      const controller = newController();
      const committed = new Set<unknown>();
      let setTimes: (times: number) => void = () => undefined;
      function Counted(): ReactElement {
        const [times, set] = useState(0);
        setTimes = set;
        const promise = useFetch(backend.getIssue, { id: 'a' });
        useEffect(() => void committed.add(promise));
        return <p>{`${use(promise).title} ${times}`}</p>;
      }
      await show(controller, <Counted />);
      await backend.settle();
      backend.titles['a'] = 'new';
      await act(async () => startTransition(() => controller.invalidate(backend.getIssue, { id: 'a' })));
      for (const times of [1, 2]) await act(async () => setTimes(times));
      expect(text()).toBe('one 2');
      expect(committed.size).toBe(1);
      await backend.settle();
      expect(text()).toBe('new 2');
      expect(committed.size).toBe(2);
    });

    it('useFetch recovers with its boundary when the network is back', async () => {
      const { error } = console;
      console.error = () => undefined;
      const device = new Device();
      await show(newController(device), <Parent id="a" />);
      device.isOnline = false;
      backend.failure = failed(0, 'no connection');
      await backend.settle();
      expect(text()).toBe('no connection');
      backend.failure = undefined;
      await act(async () => device.change({ isOnline: true }));
      await backend.settle();
      console.error = error;
      expect(text()).toBe('one');
      expect(backend.requests).toEqual(['a', 'a']);
      cleanup();
      expect(device.listeners).toBe(0);
    });

    it('useFetch returns falsy data', async () => {
      const zero = new Endpoint(async () => Promise.resolve(0), { name: 'zero' });
      function Zero(): ReactElement {
        return <p>{String(use(useFetch(zero)))}</p>;
      }
      await show(newController(), <Zero />);
      await backend.settle();
      expect(text()).toBe('0');
    });
  });
}
