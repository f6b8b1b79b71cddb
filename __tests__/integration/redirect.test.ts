import { afterEach, expect, it } from '@jest/globals';
import { Controller, RestEndpoint } from 'holdfast';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
