/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { AsyncBoundary, useFetch, useSuspense } from 'holdfast/react';
import * as React from 'react';
import { startTransition, useState, type ReactElement } from 'react';
import { FakeTime } from '../../support/fakeTime.ts';
import { silently } from '../../support/silently.ts';
import { failed, show, text } from '../Backend.tsx';

/** React 18 has no `use`. */
const react: { readonly use?: typeof React.use } = React;

/** A server whose requests take as long as their args say. */
function setUp() {
  const time = new FakeTime();
  const controller = new Controller({ now: time.now, schedule: time.schedule });
  const requests: string[] = [];
  const server = { isDown: false };
  const get = new Endpoint(
    ({ id, takes }: { readonly id: string; readonly takes: number }) => {
      requests.push(id);
      const { isDown } = server;
      return new Promise<string>((resolve, reject) =>
        time.schedule(() => (isDown ? reject(failed(500)) : resolve(`data of ${id}`)), takes),
      );
    },
    { name: 'get' },
  );
  return { time, controller, requests, server, get };
}

it.each([
  ['useSuspense', 2_500, 5_000] as const,
  ['useSuspense', 10_000, 20_500] as const,
  ...(react.use === undefined ? [] : [['useFetch', 10_000, 20_500] as const]),
])(
  'a transition to two reads that fail one after the other ends with their errors (%s, %i and %i ms)',
  async (hook, first, second) => {
    const { time, controller, requests, server, get } = setUp();
    type Params = { readonly id: string; readonly takes: number };
    const Suspending = (params: Params): ReactElement => <p>{useSuspense(get, params)}</p>;
    const Using = (params: Params): ReactElement => <p>{React.use(useFetch(get, params))}</p>;
    const Widget = hook === 'useFetch' ? Using : Suspending;
    let filterBy!: (filter: string) => void; // set by the component
    function Dashboard(): ReactElement {
      const [filter, setFilter] = useState('old');
      filterBy = setFilter;
      return (
        <>
          <AsyncBoundary fallback="waiting">
            <Widget id={`first ${filter}`} takes={first} />
          </AsyncBoundary>
          <AsyncBoundary fallback="waiting">
            <Widget id={`second ${filter}`} takes={second} />
          </AsyncBoundary>
        </>
      );
    }

    await show(controller, <Dashboard />);
    await act(() => time.pass(second));
    expect(text()).toBe('data of first olddata of second old');
    server.isDown = true;
    await silently(async () => {
      await act(async () => startTransition(() => filterBy('new')));
      await act(() => time.pass(first));
      expect(text()).toBe('data of first olddata of second old');
      await act(() => time.pass(second - first));
    });
    expect(text().match(/could not be loaded/gu)).toHaveLength(2);
    expect(requests.slice(2)).toEqual(['first new', 'second new']);
  },
);

it('a component that was unmounted before its request failed requests the data again when it is mounted after two seconds', async () => {
  const { time, controller, requests, server, get } = setUp();
  const Widget = (): ReactElement => <p>{useSuspense(get, { id: 'a', takes: 100 })}</p>;
  server.isDown = true;
  const render = await show(controller, <Widget />);
  await render('another screen');
  await act(() => time.pass(100));
  server.isDown = false;
  await act(() => time.pass(2_001));
  await render(<Widget />);
  await act(() => time.pass(100));
  expect(text()).toBe('data of a');
  expect(requests).toEqual(['a', 'a']);
});

it.each([true, false])(
  'a component that was unmounted before its response requests stale data again when it is mounted, also while another request takes for ever (failed: %s)',
  async (isDown) => {
    const { time, controller, requests, server, get } = setUp();
    const getStale = get.extend({ dataExpiryLength: 1_000 });
    const Widget = ({ id, takes }: { id: string; takes: number }): ReactElement => (
      <p>{useSuspense(getStale, { id, takes })}</p>
    );
    server.isDown = isDown;
    const render = await show(
      controller,
      <>
        <Widget id="endless" takes={Infinity} />
        <Widget id="a" takes={100} />
      </>,
    );
    await render('another screen');
    await act(() => time.pass(100));
    server.isDown = false;
    await act(() => time.pass(10_000));
    await render(<Widget id="a" takes={100} />);
    await act(() => time.pass(100));
    expect(text()).toBe('data of a');
    expect(requests).toEqual(['endless', 'a', 'a']);
  },
);
