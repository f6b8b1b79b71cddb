import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, createResource, Entity, RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silently } from '../support/silently.ts';

let servers: Server[] = [];

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
}

const html: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><form>Sign in</form>');

afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  servers = [];
});

it('the page of another origin that a request was redirected to is not stored, schema or not', async () => {
  const portal = await serve(html);
  let isSentOn = false;
  const api = await serve((request, response) => {
    if (isSentOn) response.writeHead(302, { Location: portal }).end();
    else html(request, response);
  });
  const getPage = new RestEndpoint({ urlPrefix: api, path: '/page' });
  const controller = new Controller();
  const page = await controller.fetch(getPage);
  expect(page).toContain('Sign in');
  isSentOn = true;
  await expect(controller.fetch(getPage)).rejects.toMatchObject({ status: 0, isFromApi: false });
  expect(controller.getResponse(getPage).data).toBe(page);
  await expect(controller.fetch(getPage.extend({ content: 'text' }))).resolves.toContain('Sign in');
});

it('a 303 to a login page of the same origin is not accepted as the response of a mutation', async () => {
  const api = await serve((request, response) => {
    if (request.url === '/login') html(request, response);
    else response.writeHead(303, { Location: '/login' }).end();
  });
  const remove = new RestEndpoint({ urlPrefix: api, path: '/articles/:id', method: 'DELETE' });
  await expect(new Controller().fetch(remove, { id: '1' })).rejects.toMatchObject({
    status: 0,
    isFromApi: false,
    response: { redirected: true },
  });
});

it('a redirect after a POST to a page with the result is not a warning', async () => {
  const api = await serve((request, response) => {
    if (request.url === '/tasks/1')
      response.setHeader('Content-Type', 'application/json').end('{"done":true}');
    else response.writeHead(302, { Location: '/tasks/1' }).end();
  });
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const complete = new RestEndpoint({ urlPrefix: api, path: '/tasks/:id/complete', method: 'POST' });
  await expect(new Controller().fetch(complete, { id: 1 })).resolves.toEqual({ done: true });
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

it('a redirected mutation resolves in an iframe with `srcdoc`, whose location is no base for relative URLs', async () => {
  const api = await serve((request, response) => {
    if (request.url === '/tasks/') response.setHeader('Content-Type', 'application/json').end('{"id":1}');
    else response.writeHead(308, { Location: '/tasks/' }).end();
  });
  class Relative<O extends RestEndpointOptions> extends RestEndpoint<O> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return super.fetchResponse(new URL(url, document.baseURI).href, init);
    }
  }
  Object.assign(globalThis, { location: { href: 'about:srcdoc' }, document: { baseURI: `${api}/app` } });
  try {
    const create = new Relative({ path: '/tasks', method: 'POST' });
    const created = silently(() => new Controller().fetch(create, { title: 'Moss' }));
    await expect(created).resolves.toEqual({ id: 1 });
  } finally {
    for (const name of ['location', 'document']) Reflect.deleteProperty(globalThis, name);
  }
});

describe('a server that redirects to the URL with a slash at its end', () => {
  class Task extends Entity {
    id = 0;
    title = '';
    static override key = 'Task';
  }

  let created: string[];
  let status: number;
  let list: unknown;
  let api: string;

  beforeEach(async () => {
    created = [];
    list = { results: [{ id: 1, title: 'Kelp' }] };
    api = await serve((request, response) => {
      const json = (body: unknown) =>
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
      if (!request.url!.endsWith('/')) response.writeHead(status, { Location: `${request.url}/` }).end();
      else if (request.method === 'GET') json(list);
      else
        void text(request).then((body) => {
          created.push(body);
          json({ id: created.length + 1, title: 'Moss' });
        });
    });
  });

  const resource = <const P extends string>(path: P) =>
    createResource({ urlPrefix: api, path, schema: Task });

  it('a create that became a GET, because of a 301, is rejected rather than lost', async () => {
    status = 301;
    const controller = new Controller();
    const { create } = resource('/tasks/:id');
    await expect(controller.fetch(create, { title: 'Moss' })).rejects.toMatchObject({
      code: 'HF_PK_MISSING',
      message: expect.stringContaining('use the URL that it redirects to'),
    });
    const wrapped = create.extend({ schema: { task: Task } });
    await expect(controller.fetch(wrapped, { title: 'Moss' })).rejects.toMatchObject({
      code: 'HF_PK_MISSING',
    });
    expect(created).toEqual([]);
  });

  it('a create that became a GET of a list without a wrapper is rejected with the reason', async () => {
    status = 301;
    list = [{ id: 1, title: 'Kelp' }];
    await expect(
      new Controller().fetch(resource('/tasks/:id').create, { title: 'Moss' }),
    ).rejects.toMatchObject({
      code: 'HF_PK_MISSING',
      message: expect.stringContaining('use the URL that it redirects to'),
    });
  });

  it('a POST without a schema that may have become a GET is a warning that names the URL to use', async () => {
    status = 301;
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const complete = new RestEndpoint({ urlPrefix: api, path: '/tasks/:id/complete', method: 'POST' });
    await new Controller().fetch(complete, { id: 1 });
    expect(created).toEqual([]);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned).toHaveBeenCalledWith(expect.stringMatching(/\/tasks\/1\/complete\/: .*HF_REDIRECTED/s));
    warned.mockRestore();
  });

  it('a create that stayed a POST, because of a 308, is accepted', async () => {
    status = 308;
    const { create } = resource('/tasks/:id');
    await expect(new Controller().fetch(create, { title: 'Moss' })).resolves.toMatchObject({ id: 2 });
    expect(created).toEqual(['{"title":"Moss"}']);
  });

  it('a resource whose path ends with a slash creates and lists there', async () => {
    status = 404;
    const TaskResource = resource('/tasks/:id/');
    const controller = new Controller();
    await expect(controller.fetch(TaskResource.create, { title: 'Moss' })).resolves.toMatchObject({ id: 2 });
    expect(TaskResource.getList.url()).toBe(`${api}/tasks/`);
    expect(TaskResource.get.url({ id: 1 })).toBe(`${api}/tasks/1/`);
  });
});
