/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Controller, createResource, reachability } from 'holdfast';
import { AsyncBoundary, DataProvider, useOnline, useSuspense } from 'holdfast/react';
import { HttpResponse } from 'msw';
import type { ReactElement } from 'react';
import { FakeTime } from '../support/fakeTime.ts';
import { answer, prefix, startServer } from '../support/server.ts';
import { Article } from '../support/entities.ts';

const ArticleResource = createResource({ urlPrefix: prefix, path: '/article/:id', schema: Article });

const server = startServer();

afterEach(cleanup);

function Title(): ReactElement {
  return <p>{useSuspense(ArticleResource.get, { id: '1' }).title}</p>;
}

function Online(): ReactElement {
  return <output>{useOnline() ? 'online' : 'offline'}</output>;
}

it('components follow the reachability status, not navigator.onLine', async () => {
  // React reports every error that a boundary catches.
  const silenced = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  let isUp = false;
  answer(server, () => (isUp ? HttpResponse.json({ id: '1', title: 'one' }) : HttpResponse.error()));
  const time = new FakeTime();
  const reach = reachability({ random: () => 0 });
  const controller = new Controller({ now: time.now, schedule: time.schedule, plugins: [reach] });
  await act(async () => {
    render(
      <DataProvider controller={controller}>
        <Online />
        <AsyncBoundary fallback={<p>waiting</p>}>
          <Title />
        </AsyncBoundary>
      </DataProvider>,
    );
  });
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(navigator.onLine).toBe(true);
  expect(screen.getByRole('status').textContent).toBe('offline');
  isUp = true;
  await act(async () => time.pass(2_000));
  expect(await screen.findByText('one')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('online');
  await controller.stop();
  silenced.mockRestore();
});
