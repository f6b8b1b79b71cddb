/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup } from '@testing-library/react';
import { Controller, Endpoint, Entity } from 'holdfast';
import { useCache, useDLE, useFetch, useQuery, useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { show, text } from '../Backend.tsx';

class Visit extends Entity {
  id = '';
  date = '';
  static override key = 'Visit';
  static override schema = {
    date: (value: string): string => {
      if (value === 'never') throw new Error('not a date');
      return `on ${value}`;
    },
  };
}
const getVisit = new Endpoint(async ({ id }: { id: string }) => Promise.resolve({ id, date: 'Monday' }), {
  name: 'getVisit',
  schema: Visit,
});

const { error } = console;
beforeEach(() => {
  // React reports every error that a boundary catches.
  console.error = () => undefined;
});
afterEach(() => {
  cleanup();
  console.error = error;
});

it.each<[string, () => unknown]>([
  ['useSuspense', () => useSuspense(getVisit, { id: '1' }).date],
  ['useDLE', () => useDLE(getVisit, { id: '1' }).data?.date],
  ['useCache', () => useCache(getVisit, { id: '1' })?.date],
  ['useQuery', () => useQuery(Visit, { id: '1' })?.date],
  ['useFetch', () => useFetch(getVisit, { id: '1' }).constructor.name],
])(
  'a change that a converter rejects is thrown to the boundary of a mounted component: %s',
  async (_, read) => {
    const controller = new Controller();
    await controller.fetch(getVisit, { id: '1' });
    const Read = (): ReactElement => <p>{String(read())}</p>;
    await show(controller, <Read />);
    expect(text()).toMatch(/^(on Monday|Promise)$/);
    await act(async () => controller.set(Visit, { id: '1' }, { date: 'never' }));
    expect(text()).toContain('HF_CONVERTER');
  },
);
