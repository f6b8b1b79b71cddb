/** @jest-environment jest-fixed-jsdom */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import type { ReactElement } from 'react';
import { TaskForm, TaskResource } from '../../docs/examples/TaskForm.tsx';

const url = 'https://api.example.com/tasks/1';
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

const Shown = (): ReactElement => <output>{useSuspense(TaskResource.get, { id: '1' }).text}</output>;
const shown = (): string => screen.getByRole('status').textContent;
const input = (): HTMLInputElement => screen.getByRole('textbox');
const submit = (): unknown => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

it('a form keeps its text when the server rejects an optimistic change, and shows the reason', async () => {
  let answer: (response: Response) => void = () => undefined; // set when the request arrives
  server.use(
    http.get(url, () => HttpResponse.json({ id: '1', text: 'Press the fern' })),
    http.patch(url, () => new Promise<Response>((resolve) => (answer = resolve))),
  );
  render(
    <DataProvider controller={new Controller()}>
      <AsyncBoundary fallback="loading">
        <Shown />
        <TaskForm id="1" />
      </AsyncBoundary>
    </DataProvider>,
  );
  await screen.findByRole('textbox');
  fireEvent.input(input(), { target: { value: 'Dry the kelp' } });
  submit();
  await waitFor(() => expect(shown()).toBe('Dry the kelp')); // before the answer
  await waitFor(() => {
    answer(HttpResponse.json({ message: 'Too wet' }, { status: 422 }));
    expect(screen.getByRole('alert').textContent).toBe('Too wet');
  });
  expect(shown()).toBe('Press the fern');
  expect(input().value).toBe('Dry the kelp');

  fireEvent.input(input(), { target: { value: 'Dry the kelp slowly' } });
  answer = () => undefined;
  submit();
  await waitFor(() => {
    answer(HttpResponse.json({ id: '1', text: 'Dry the kelp slowly' }));
    expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
  });
  expect(shown()).toBe('Dry the kelp slowly');
  expect(input().value).toBe('Dry the kelp slowly');
});
