/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { Controller, createResource } from 'holdfast';
import { useSuspense } from 'holdfast/react';
import { Suspense, type ReactElement } from 'react';
import { baseUrl, startServer } from './server.ts';
import { expectText, settle, show, text } from './show.tsx';
import { Article } from '../support/entities.ts';

const resourceWith = (dataExpiryLength: number) =>
  createResource({ urlPrefix: baseUrl, path: '/articles/:id', schema: Article, dataExpiryLength });

const server = startServer();

describe('8.1 dataExpiryLength sets cache freshness', () => {
  it.each([
    [1000, 999, 1],
    [1000, 1000, 2],
    [0, 0, 2],
    [Infinity, 100 * 365 * 24 * 3_600_000, 1],
  ])(
    'data with a dataExpiryLength of %p, mounted after %p ms, takes %i requests in total',
    async (length, later, requests) => {
      server.json('GET /articles/1', { id: '1', title: 'One' });
      const { get } = resourceWith(length);
      function Title(): ReactElement {
        return <p>{useSuspense(get, { id: '1' }).title}</p>;
      }
      let now = 1_000_000;
      const controller = new Controller({ now: () => now });
      await controller.fetch(get, { id: '1' });
      now += later;
      await show(controller, <Title />);
      await settle();
      expect(text()).toBe('One');
      expect(server.asked).toHaveLength(requests);
    },
  );

  it('data with a dataExpiryLength of Infinity never becomes stale, but can be invalidated', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    const { get } = resourceWith(Infinity);
    const controller = new Controller();
    await controller.fetch(get, { id: '1' });
    expect(controller.getResponse(get, { id: '1' }).expiresAt).toBe(Infinity);
    controller.invalidate(get, { id: '1' });
    await controller.fetchIfStale(get, { id: '1' });
    expect(server.asked).toHaveLength(2);
  });
});

describe('8.2 identical concurrent requests', () => {
  const { get, partialUpdate } = resourceWith(60_000);

  it('concurrent identical fetches send one request', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    const controller = new Controller();
    const [first, second] = await Promise.all([
      controller.fetch(get, { id: '1' }),
      controller.fetch(get, { id: '1' }),
      controller.fetchIfStale(get, { id: '1' }),
    ]);
    expect(first).toBe(second);
    expect(server.asked).toEqual(['GET /articles/1']);
  });

  it('concurrent readers of the same data send one request', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    function Title(): ReactElement {
      return <p>{useSuspense(get, { id: '1' }).title}</p>;
    }
    await show(
      new Controller(),
      <>
        <Title />
        <Suspense fallback="…">
          <Title />
        </Suspense>
        <Title />
      </>,
    );
    await expectText('OneOneOne');
    expect(server.asked).toEqual(['GET /articles/1']);
  });

  it('a fetch after the response of an identical one sends another request', async () => {
    server.json('GET /articles/1', { id: '1', title: 'One' });
    const controller = new Controller();
    await controller.fetch(get, { id: '1' });
    await controller.fetch(get, { id: '1' });
    expect(server.asked).toHaveLength(2);
  });

  it('concurrent fetches with different parameters send a request each', async () => {
    server.json('GET /articles/1', { id: '1' });
    server.json('GET /articles/2', { id: '2' });
    const controller = new Controller();
    await Promise.all([controller.fetch(get, { id: '1' }), controller.fetch(get, { id: '2' })]);
    expect([...server.asked].sort()).toEqual(['GET /articles/1', 'GET /articles/2']);
  });

  it('concurrent identical mutations are each sent', async () => {
    server.json('PATCH /articles/1', { id: '1', title: 'x' });
    const controller = new Controller();
    await Promise.all([
      controller.fetch(partialUpdate, { id: '1' }, { title: 'x' }),
      controller.fetch(partialUpdate, { id: '1' }, { title: 'x' }),
    ]);
    expect(server.asked).toEqual(['PATCH /articles/1', 'PATCH /articles/1']);
  });
});
