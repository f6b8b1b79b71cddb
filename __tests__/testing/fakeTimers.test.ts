import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Controller, createResource } from 'holdfast';
import { mockRequests } from 'holdfast/testing';
import { Article } from '../support/entities.ts';

const { get } = createResource({ path: '/articles/:id', schema: Article, dataExpiryLength: 60_000 });
const args = { id: '1' };
const fixture = { endpoint: get, response: { id: '1', title: 'One' }, delay: 5_000 };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('mocked requests respond and expire by the fake timers of Jest', async () => {
  const controller = new Controller({ plugins: [mockRequests([fixture])] });
  const fetching = controller.fetch(get, args);
  await jest.advanceTimersByTimeAsync(4_999);
  expect(controller.getResponse(get, args).data).toBeUndefined();
  await jest.advanceTimersByTimeAsync(1);
  expect((await fetching).title).toBe('One');
  expect(controller.view(get, [args]).isStale).toBe(false);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(controller.view(get, [args]).isStale).toBe(true);
  await controller.stop();
});

it('a controller that was created before the fake timers follows them', async () => {
  jest.useRealTimers();
  const controller = new Controller({ plugins: [mockRequests([{ ...fixture, delay: 0 }])] });
  jest.useFakeTimers();
  const fetching = controller.fetch(get, args);
  await jest.advanceTimersByTimeAsync(0);
  await fetching;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(controller.view(get, [args]).isStale).toBe(true);
  await controller.stop();
});
