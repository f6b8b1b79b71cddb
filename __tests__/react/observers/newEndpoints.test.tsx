/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { DataProvider, useDLE, useFetch, useSuspense } from 'holdfast/react';
import * as React from 'react';
import { StrictMode, Suspense, type ReactElement } from 'react';
import { Price } from '../../support/entities.ts';
import { turn } from '../../support/turns.ts';

/** Absent in React 18. */
const react: { readonly use?: typeof React.use } = React;
const { use } = react;

let requests: string[] = [];
/** Stale at once, and with another value each time. */
const getPrice = new Endpoint(
  async ({ id }: { id: string }) => {
    if (requests.length > 20) await new Promise(() => undefined); // ends a loop
    return { id, value: requests.push(id) };
  },
  { name: 'getPrice', schema: Price, dataExpiryLength: 0 },
);
const getCurrentPrice = getPrice.extend({ invalidIfStale: true });

const hooks = {
  useDLE: (id: string, get = getPrice) => useDLE(get.extend({}), { id }).data?.value,
  useSuspense: (id: string, get = getPrice) => useSuspense(get.extend({}), { id }).value,
  ...(use !== undefined && {
    useFetch: (id: string, get = getPrice) => use(useFetch(get.extend({}), { id })).value,
  }),
};

async function shown(element: ReactElement, rerender?: (element: ReactElement) => void) {
  let next = rerender;
  await act(async () => {
    if (next === undefined) ({ rerender: next } = render(element));
    else next(element);
    // A loop would need these turns and more.
    for (let turns = 0; turns < 10; turns++) await turn();
  });
  return next;
}

beforeEach(() => {
  requests = [];
  // Both Holdfast and React warn of what is created at each render.
  for (const level of ['warn', 'error'] as const)
    jest.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(cleanup);
afterEach(() => void jest.restoreAllMocks());

describe.each(Object.entries(hooks))(
  '%s of an endpoint that is created at each render',
  (_name, useValue) => {
    const View = ({ id }: { id: string }) => <p>{useValue(id)}</p>;
    const app = (controller: Controller, id: string, key = 'a') => (
      <DataProvider controller={controller}>
        <Suspense>
          <View key={key} id={id} />
        </Suspense>
      </DataProvider>
    );

    it('requests stale data on mount and on changed args only', async () => {
      const controller = new Controller();
      const rerender = await shown(app(controller, 'a'));
      for (let renders = 0; renders < 3; renders++) await shown(app(controller, 'a'), rerender);
      expect(requests).toEqual(['a']);
      await shown(app(controller, 'b'), rerender);
      expect(requests).toEqual(['a', 'b']);
      await shown(app(controller, 'a'), rerender);
      expect(requests).toEqual(['a', 'b', 'a']);
      await shown(app(controller, 'a', 'remounted'), rerender);
      expect(requests).toEqual(['a', 'b', 'a', 'a']);
      expect(document.body.textContent).toBe('4');
    });

    it('requests the data of another controller', async () => {
      const rerender = await shown(app(new Controller(), 'a'));
      const other = new Controller();
      await other.fetch(getPrice, { id: 'a' });
      await shown(app(other, 'a'), rerender);
      expect(requests).toEqual(['a', 'a', 'a']);
      expect(document.body.textContent).toBe('3');
    });

    it('shows what a mount must not show stale until it is mounted again', async () => {
      const Current = () => <p>{useValue('a', getCurrentPrice)}</p>;
      const controller = new Controller();
      const current = (key: string) => (
        <DataProvider controller={controller}>
          <Suspense fallback="waiting">
            <Current key={key} />
          </Suspense>
        </DataProvider>
      );
      const rerender = await shown(current('a'));
      for (let renders = 0; renders < 3; renders++) await shown(current('a'), rerender);
      expect(requests).toEqual(['a']);
      expect(document.body.textContent).toBe('1');
      await shown(current('remounted'), rerender);
      expect(requests).toEqual(['a', 'a']);
      expect(document.body.textContent).toBe('2');
    });

    it('requests once in Strict Mode', async () => {
      await shown(<StrictMode>{app(new Controller(), 'a')}</StrictMode>);
      expect(requests).toEqual(['a']);
    });
  },
);

it('useDLE keeps an error that may be retried until it is mounted again, also if each render creates its endpoint', async () => {
  const getFailed = new Endpoint(
    async () => {
      if (requests.push('failed') > 20) await new Promise(() => undefined); // ends a loop
      throw new Error('no such price');
    },
    { name: 'getFailed', errorExpiryLength: 0 },
  );
  const Failed = () => <p>{useDLE(getFailed.extend({})).error?.message}</p>;
  const controller = new Controller();
  const app = () => (
    <DataProvider controller={controller}>
      <Failed />
    </DataProvider>
  );
  const rerender = await shown(app());
  await shown(app(), rerender);
  expect(requests).toEqual(['failed']);
  expect(document.body.textContent).toBe('no such price');
});
