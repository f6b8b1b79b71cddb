/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { Controller, createResource, Endpoint, Entity, refetchOn, type EndpointInterface } from 'holdfast';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useDLE,
  useError,
  useFetch,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from 'holdfast/react';
import type { ReactElement } from 'react';

class Task extends Entity {
  id = '';
  static override key = 'Task';
}

let sent = 0;
const createTask = new Endpoint(
  (body: { id: string }) => {
    sent += 1;
    return Promise.resolve(body);
  },
  { name: 'createTask', schema: Task, sideEffect: true },
);
const TaskResource = createResource({ path: '/tasks/:id', schema: Task });
const fetchTasks = (): Promise<object[]> => Promise.resolve([]);

/** The error that a boundary shows for a component. */
async function errorOf(Component: () => ReactElement | null): Promise<string> {
  let message = '';
  await act(async () => {
    render(
      <DataProvider controller={new Controller()}>
        <AsyncBoundary fallback="Loading" onError={(error) => (message = error.message)}>
          <Component />
        </AsyncBoundary>
      </DataProvider>,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  return message;
}

beforeEach(() => {
  sent = 0;
  jest.spyOn(console, 'error').mockImplementation(() => undefined); // React reports what the boundary catches
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

describe('reads of what cannot be read', () => {
  it.each([
    // @ts-expect-error a mutation is no read
    ['useSuspense', () => useSuspense(createTask, { id: '1' })],
    // @ts-expect-error a mutation is no read
    ['useDLE', () => useDLE(createTask, { id: '1' })],
    // @ts-expect-error a mutation is no read
    ['useFetch', () => useFetch(createTask, { id: '1' })],
  ])('%s throws for a mutation and does not send it', async (_hook, useRead) => {
    const message = await errorOf(() => {
      void useRead();
      return null;
    });
    expect(message).toContain('createTask is a mutation and cannot be read');
    expect(sent).toBe(0);
  });

  it('fetchIfStale rejects a mutation and does not send it', () => {
    // @ts-expect-error a mutation is no read
    expect(() => new Controller().fetchIfStale(createTask, { id: '1' })).toThrow('HF_NOT_QUERYABLE');
    expect(sent).toBe(0);
  });

  it.each([
    ['useSuspense', () => useSuspense(fetchTasks)],
    ['useQuery', () => useQuery(fetchTasks)],
  ])('%s throws for a plain function, which TypeScript takes for a converter', async (_hook, useRead) => {
    const message = await errorOf(() => {
      void useRead();
      return null;
    });
    expect(message).toContain('fetchTasks is not an endpoint; pass a member of a resource');
  });

  /** As JavaScript passes it, or a module of an import cycle. */
  const given = (value: unknown) => value as EndpointInterface;
  const givenSchema = (value: unknown) => value as typeof Task;

  it.each([
    ['useSuspense', () => useSuspense(given(undefined), { id: '1' })],
    ['useDLE', () => useDLE(given(undefined), { id: '1' })],
    ['useCache', () => useCache(given(undefined), { id: '1' })],
    ['useFetch', () => useFetch(given(undefined), { id: '1' })],
    ['useLive', () => useLive(given(undefined), { id: '1' })],
    ['useError', () => useError(given(undefined), { id: '1' })],
    ['useSubscription', () => useSubscription(given(undefined), { id: '1' })],
    ['useQuery', () => useQuery(givenSchema(undefined), { id: '1' })],
  ])('%s throws for an endpoint or schema that is undefined', async (_hook, useRead) => {
    const message = await errorOf(() => {
      void useRead();
      return null;
    });
    expect(message).toContain('undefined is not an endpoint');
    expect(message).toContain('(HF_NOT_QUERYABLE)');
  });

  it.each([
    ['useSuspense', () => useSuspense(given(TaskResource), { id: '1' })],
    ['useDLE', () => useDLE(given(TaskResource), { id: '1' })],
    ['useQuery', () => useQuery(givenSchema(TaskResource), { id: '1' })],
  ])('%s throws for a whole resource', async (_hook, useRead) => {
    const message = await errorOf(() => {
      void useRead();
      return null;
    });
    expect(message).toContain('an object { get, getList');
    expect(message).toContain('is not an endpoint; pass a member of a resource');
  });

  it('the controller names what it was given in place of an endpoint', async () => {
    const controller = new Controller();
    await expect(controller.fetch(given(TaskResource), {})).rejects.toThrow('an object { get, getList');
    await expect(controller.fetch(given(undefined))).rejects.toThrow('undefined is not an endpoint');
    expect(() => controller.getResponse(given(Task), {})).toThrow('Task is not an endpoint');
    expect(() => controller.invalidate(given(Task), {})).toThrow('(HF_NOT_QUERYABLE)');
    expect(() => controller.get(fetchTasks)).toThrow('fetchTasks is not an endpoint');
    expect(() => controller.get(givenSchema(undefined), {})).toThrow('undefined is not an endpoint');
    expect(() => controller.watch(given(undefined), () => undefined)).toThrow('undefined is not an endpoint');
  });
});

describe('plugins', () => {
  it('a plugin that was not called is an error, although its name makes it a plugin for TypeScript', () => {
    expect(() => new Controller({ plugins: [refetchOn] })).toThrow('call it: refetchOn() (HF_PLUGIN)');
  });
});
