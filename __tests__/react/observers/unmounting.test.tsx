/** @jest-environment jest-fixed-jsdom */
import { expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { AsyncBoundary, DataProvider, useCache, useSuspense } from 'holdfast/react';
import { StrictMode } from 'react';
import { FakeEnvironment, FakeTime } from '../../support/fakeTime.ts';
import { Note } from '../../support/entities.ts';

const asked: string[] = [];
const getNote = new Endpoint(
  async ({ id }: { id: string }): Promise<unknown> => {
    asked.push(id);
    return { id, text: `note ${id}` };
  },
  { name: 'getNote', schema: Note },
);

function ShownNote({ id }: { readonly id: string }) {
  const { text } = useSuspense(getNote, { id });
  return <li>{`${text}, ${useCache(getNote, { id })?.text ?? ''}`}</li>;
}

it('a thousand components leave nothing behind when unmounted, and can be mounted again', async () => {
  const time = new FakeTime();
  const environment = new FakeEnvironment();
  const controller = new Controller({ now: time.now, schedule: time.schedule, environment });
  const ids = Array.from({ length: 1_000 }, (_, id) => `${id}`);
  const show = (which: readonly string[]) => (
    <StrictMode>
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="loading">
          <ul>
            {which.map((id) => (
              <ShownNote key={id} id={id} />
            ))}
          </ul>
        </AsyncBoundary>
      </DataProvider>
    </StrictMode>
  );
  for (const id of ids) controller.setResponse(getNote, { id }, { id, text: `note ${id}` });
  const { rerender } = render(show(ids));
  expect(screen.getAllByRole('listitem')).toHaveLength(1_000);
  expect([controller.mountedReads().length, time.timers]).toEqual([1_000, 0]);

  rerender(show(ids.slice(0, 1)));
  expect(controller.mountedReads()).toHaveLength(1);
  await time.pass(300_000);
  expect(controller.getState().results.size).toBe(1);
  expect(controller.getState().tables['Note']?.size).toBe(1);
  expect([time.timers, environment.listeners]).toEqual([0, 0]);
  expect(asked).toEqual([]);

  await act(async () => {
    rerender(show(ids.slice(0, 2)));
  });
  expect(await screen.findByText('note 1, note 1')).toBeTruthy();
  // The first may be requested as well: it is stale, and Strict Mode mounts a suspended component again.
  expect(asked.filter((id) => id === '1')).toHaveLength(1);
});
