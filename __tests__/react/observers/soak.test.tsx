/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { All, Controller, Query, type Schedule } from 'holdfast';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useDLE,
  useError,
  useFetch,
  useLive,
  useOnline,
  useQuery,
} from 'holdfast/react';
import { Fragment, StrictMode, type ReactElement } from 'react';
import { ReadView } from '../../../src/controller/reads/ReadView.ts';
import { Views } from '../../../src/views/Views.ts';
import { Backend, Device } from '../Backend.tsx';
import { IssueWithAuthor } from '../../support/entities.ts';
import { turn } from '../../support/turns.ts';

const titles = new Query(new All(IssueWithAuthor), (issues) => issues.map(({ title }) => title));

it.each([
  ['', Fragment],
  [' in Strict Mode', StrictMode],
])('a thousand mounts and discarded first renders leave nothing behind%s', async (_mode, Mode) => {
  const backend = new Backend();
  const polled = backend.getIssue.extend({ pollFrequency: 1_000 });
  const environment = new Device();
  /** What is to run later. */
  const scheduled = new Set<() => void>();
  const schedule: Schedule = (run) => {
    scheduled.add(run);
    return () => void scheduled.delete(run);
  };
  // The watches of the graph of views that have not been stopped.
  let watches = 0;
  const { subscribe } = ReadView.prototype;
  const { watchQuery, watchEntity } = Views.prototype;
  const counted = (stop: () => void) => {
    watches += 1;
    return () => {
      watches -= 1;
      stop();
    };
  };
  ReadView.prototype.subscribe = function (...args) {
    return counted(subscribe.apply(this, args));
  };
  Views.prototype.watchQuery = function (...args) {
    return counted(watchQuery.apply(this, args));
  };
  Views.prototype.watchEntity = function (...args) {
    return counted(watchEntity.apply(this, args));
  };
  const controller = new Controller({ environment, schedule, gcTime: Infinity });
  function Reader({ id }: { id: string }): ReactElement {
    void useFetch(backend.getIssue, { id });
    useDLE(backend.getIssue, { id });
    useCache(backend.getIssue, { id });
    useError(backend.getIssue, { id });
    useQuery(titles);
    useQuery(IssueWithAuthor, { id });
    useOnline();
    return <p>{useLive(polled, { id }).title}</p>;
  }
  const app = (children: ReactElement | null): ReactElement => (
    <Mode>
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="waiting">{children}</AsyncBoundary>
      </DataProvider>
    </Mode>
  );
  const { rerender, unmount } = render(app(null));
  let mostWatches = 0;
  for (let times = 0; times < 1_000; times++) {
    // Every fifth is taken away before it has been answered.
    if (times % 5 === 0) controller.invalidate(backend.getIssue, { id: 'a' });
    await act(async () => rerender(app(<Reader key={times} id="a" />)));
    if (times % 5 === 1) await backend.settle();
    mostWatches = Math.max(mostWatches, watches);
    await act(async () => rerender(app(null)));
  }
  await backend.settle();
  unmount();
  await act(turn);
  Object.assign(ReadView.prototype, { subscribe });
  Object.assign(Views.prototype, { watchQuery, watchEntity });
  expect(mostWatches).toBeGreaterThan(4);
  expect(watches).toBe(0);
  expect(controller.mountedReads()).toEqual([]);
  expect(environment.listeners).toBe(0);
  expect(controller.getResponse(backend.getIssue, { id: 'a' }).refreshing).toBe(false);
  // At most the timer of the suspense grace.
  expect(scheduled.size).toBeLessThanOrEqual(1);
  expect(backend.requests.length).toBeLessThanOrEqual(200);
});
