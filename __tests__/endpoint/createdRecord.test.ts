import { describe, expect, it } from '@jest/globals';
import { Entity, RestEndpoint, Union, type RestEndpointOptions } from 'holdfast';

class Task extends Entity {
  id = '';
  title = '';
  static override key = 'Task';
}

class Numbered extends Entity {
  number = 0;
  static override key = 'Numbered';
  override pk(): string {
    return String(this.number);
  }
}

/** A response to a request for this URL; `Response` has no option for it. */
function responseTo(url: string, body: BodyInit | null, headers: HeadersInit, status = 201): Response {
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url });
}

/** What a mutation makes of a response. */
function read(response: Response, options: RestEndpointOptions = { path: '/tasks' }): Promise<unknown> {
  const endpoint = new RestEndpoint({
    urlPrefix: 'https://example.com',
    method: 'POST',
    schema: Task,
    fetchResponse: async () => Promise.resolve(response),
    ...options,
  });
  const send = endpoint as (params: object, body: object) => Promise<unknown>; // any path, with a body
  return send({ id: '1' }, {});
}

describe('the response of a mutation that has no record', () => {
  it.each([
    ['a number', '42', 'application/json', { id: 42 }],
    [
      'a UUID',
      '"6f1c9a52-0f0e-4f7e-9b1a-000000000001"',
      'application/json',
      { id: '6f1c9a52-0f0e-4f7e-9b1a-000000000001' },
    ],
    [
      'a UUID as text',
      '6f1c9a52-0f0e-4f7e-9b1a-000000000001\n',
      'text/plain',
      { id: '6f1c9a52-0f0e-4f7e-9b1a-000000000001' },
    ],
    ['a word', '"created"', 'application/json', null],
    ['a sentence with a number', '"Created 1 task"', 'application/json', null],
    ['true', 'true', 'application/json', null],
    ['the number of changed rows', '1', 'application/json', null],
    ['the number of changed rows as text', '"1"', 'application/json', null],
    ['the status', '201', 'text/plain', null],
    ['an empty string', '""', 'application/json', null],
    ['null', 'null', 'application/json', null],
    ['an empty list, which may mean that there is no such row', '[]', 'application/json', []],
    ['text', 'OK', 'text/plain', null],
    ['an object', '{"ok":true}', 'application/json', { ok: true }],
  ])('a create that is answered with %s', async (_name, body, type, expected) => {
    const response = new Response(body, { status: 201, headers: { 'content-type': type } });
    expect(await read(response)).toEqual(expected);
  });

  it('the text of a pk is a number if the entity declares one', async () => {
    const json = (body: string): Response =>
      new Response(body, { headers: { 'content-type': 'application/json' } });
    const numbered = { schema: Numbered, path: '/tasks', movePath: '/tasks/:number' } as const;
    expect(await read(json('"7"'), numbered)).toEqual({ number: 7 });
    expect(await read(json('"7a"'), numbered)).toEqual({ number: '7a' });
  });

  it.each([
    ['a path', '/tasks/42', 'https://example.com/tasks', { id: '42' }],
    ['a URL', 'http://internal:8080/api/tasks/42', 'https://example.com/tasks', { id: '42' }],
    ['a path that ends with a slash', '/tasks/42/', 'https://example.com/tasks/?draft=1', { id: '42' }],
    ['a pk without digits', '/tasks/first-task', 'https://example.com/tasks', { id: 'first-task' }],
    ['the list itself', '/tasks', 'https://example.com/tasks', null],
    ['a job elsewhere', '/jobs/42', 'https://example.com/tasks', null],
    ['a query', '/tasks?id=eq.42', 'https://example.com/tasks', null],
    ['a relative reference', '42', 'https://example.com/tasks', null],
  ])('a create whose Location has %s', async (_name, location, url, expected) => {
    expect(await read(responseTo(url, null, { location }))).toEqual(expected);
  });

  it('a Location is not read from a response with a record, and is read beside a body without one', async () => {
    const location = '/tasks/42';
    const url = 'https://example.com/tasks';
    expect(
      await read(responseTo(url, '{"id":"7"}', { location, 'content-type': 'application/json' })),
    ).toEqual({
      id: '7',
    });
    expect(
      await read(responseTo(url, '"Created"', { location, 'content-type': 'application/json' })),
    ).toEqual({
      id: '42',
    });
  });

  it.each([
    ['an update by PATCH', { path: '/tasks/:id', method: 'PATCH' }],
    ['an update by POST', { path: '/tasks/:id' }],
    ['an action', { path: '/tasks/:id/start' }],
    ['a mutation of several entities', { path: '/tasks', schema: [Task] }],
    ['a mutation whose response wraps the entity', { path: '/tasks', schema: { task: Task } }],
    [
      'a union, whose member is unknown',
      { path: '/tasks', schema: new Union({ task: Task, numbered: Numbered }, () => 'task') },
    ],
  ] as const)('a number is no pk in the response to %s', async (_name, options) => {
    const response = new Response('7', { headers: { 'content-type': 'application/json' } });
    expect(await read(response, options as RestEndpointOptions)).toBeNull();
  });
});
