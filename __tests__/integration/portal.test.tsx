/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup } from '@testing-library/react';
import { IDBFactory } from 'fake-indexeddb';
import { Controller, createResource, NetworkError, RestEndpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { useError, useSuspense } from 'holdfast/react';
import { HttpResponse } from 'msw';
import type { ReactElement } from 'react';
import { answer, prefix, startServer, type Received } from '../support/server.ts';
import { Device, show, text } from '../react/Backend.tsx';
import { Article } from '../support/entities.ts';
import { turn } from '../support/turns.ts';

const ArticleResource = createResource({
  urlPrefix: prefix,
  path: '/articles/:id',
  schema: Article,
  dataExpiryLength: Infinity,
});
const getCount = new RestEndpoint({ urlPrefix: prefix, path: '/count', schema: { articles: [Article] } });

const server = startServer();
const portal = (status: number) => (): Response =>
  HttpResponse.html('<!doctype html><title>Sign in to this network</title>', { status });
const one = { id: '1', title: 'one' };
const api = ({ url }: Received): Response =>
  HttpResponse.json(url.endsWith('/articles') ? [one] : url.endsWith('/count') ? { articles: [one] } : one);

let respond: (received: Received) => Response;
let received: Received[];
let controllers: Controller[];

function newController(device = new Device()): Controller {
  const plugins = [indexedDB({ name: 'app', persist: 'all' }), outbox({ endpoints: [ArticleResource] })];
  const controller = new Controller({ environment: device, plugins });
  controllers.push(controller);
  return controller;
}

function Titles(): ReactElement {
  const titles = useSuspense(ArticleResource.getList).map(({ title }) => title);
  const error = useError(ArticleResource.getList);
  return (
    <p>
      {titles.join()} {error?.message.includes('a web page') === true && 'not refreshed'}
    </p>
  );
}

const settle = (): Promise<void> =>
  act(async () => {
    for (let turns = 0; turns < 20; turns++) await turn();
  });

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  controllers = [];
  respond = api;
  received = answer(server, (request) => respond(request));
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  cleanup();
  for (const controller of controllers) await controller.stop();
  jest.restoreAllMocks();
});

describe('a web page in place of an API response', () => {
  it.each([200, 403, 404, 502, 511])(
    'a captive portal leaves a list on screen, with the error next to it: %i',
    async (status) => {
      const controller = newController();
      await show(controller, <Titles />);
      await settle();
      expect(text()).toBe('one ');
      respond = portal(status);
      await act(() => expect(controller.fetch(ArticleResource.getList)).rejects.toBeInstanceOf(NetworkError));
      expect(text()).toBe('one not refreshed');
      expect(controller.getError(ArticleResource.getList)).toMatchObject({ isFromApi: false });
      respond = api;
      await act(() => controller.fetch(ArticleResource.getList));
      expect(text()).toBe('one ');
    },
  );

  it.each([200, 404])('a captive portal leaves data on disk unchanged: %i', async (status) => {
    const first = newController();
    await first.fetch(ArticleResource.getList);
    respond = portal(status);
    await first.fetch(ArticleResource.getList).catch(() => undefined);
    await first.flush();
    await first.stop();
    const second = newController();
    await second.fetch(ArticleResource.getList).catch(() => undefined);
    await show(second, <Titles />);
    await settle();
    expect(text()).toMatch(/^one/);
  });

  it('a web page in place of the API is shown by the boundary where there is no data, which recovers when the network is back', async () => {
    const device = new Device();
    respond = portal(404);
    await show(newController(device), <Titles />);
    await settle();
    expect(text()).toContain('404');
    respond = api;
    await act(async () => device.change({ isOnline: false }));
    await act(async () => device.change({ isOnline: true }));
    await settle();
    expect(text()).toBe('one ');
  });

  it.each([200, 404])('a captive portal leaves a mutation in the outbox: %i', async (status) => {
    const controller = newController();
    await controller.fetch(ArticleResource.getList);
    respond = portal(status);
    await controller.fetch(ArticleResource.delete, { id: '1' });
    expect(received.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
    expect(controller.status('outbox')?.get()).toMatchObject({ pending: [{}], failed: [] });
  });

  it('a captive portal rejects a mutation without an outbox', async () => {
    const controller = new Controller();
    controllers.push(controller);
    await controller.fetch(ArticleResource.getList);
    respond = portal(200);
    await expect(controller.fetch(ArticleResource.delete, { id: '1' })).rejects.toMatchObject({
      isFromApi: false,
      status: 0,
    });
    expect(controller.get(Article, { id: '1' })).toMatchObject(one);
  });
});

describe('a 404 of the API', () => {
  it('a 404 of the API shows the boundary in place of data, as its errorPolicy says', async () => {
    const controller = newController();
    await show(controller, <Titles />);
    await settle();
    respond = () => HttpResponse.json({ error: 'gone' }, { status: 404 });
    await act(() => controller.fetch(ArticleResource.getList).catch(() => undefined));
    await settle();
    expect(text()).toContain('was answered with 404');
  });
});

describe('an empty response to a list', () => {
  it.each([
    ['204', () => new HttpResponse(null, { status: 204 })],
    ['an empty 200', () => HttpResponse.text('')],
    [
      'an empty 200 said to be JSON',
      () => new HttpResponse('', { headers: { 'Content-Type': 'application/json' } }),
    ],
    ['null', () => HttpResponse.json(null)],
  ])('an empty response leaves stored data readable, in memory and on disk: %s', async (_, nothing) => {
    const first = newController();
    await show(first, <Titles />);
    await first.fetch(getCount);
    await settle();
    respond = nothing;
    for (const endpoint of [ArticleResource.getList, getCount])
      await act(() => expect(first.fetch(endpoint)).rejects.toMatchObject({ code: 'HF_SHAPE' }));
    expect(text()).toBe('one ');
    expect(first.getError(ArticleResource.getList)).toMatchObject({ code: 'HF_SHAPE' });
    expect(first.getResponse(getCount).data?.articles).toHaveLength(1);
    await first.flush();
    await first.stop();
    cleanup();
    await show(newController(), <Titles />);
    await settle();
    expect(text()).toBe('one ');
  });

  it('an empty answer to a list is data where one entity may be absent and the body says null', async () => {
    const controller = newController();
    respond = () => HttpResponse.json(null);
    await expect(controller.fetch(ArticleResource.get, { id: '1' })).resolves.toBeNull();
    expect(controller.getResponse(ArticleResource.get, { id: '1' }).data).toBeNull();
  });
});
