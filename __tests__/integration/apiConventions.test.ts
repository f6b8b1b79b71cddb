import 'fake-indexeddb/auto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import {
  Collection,
  Controller,
  createResource,
  Entity,
  Invalidate,
  RestEndpoint,
  type EndpointInterface,
  type RestEndpointOptions,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';

// One story of an offline app, with the APIs of people who have never seen this library. Each client is what
// docs/realApi.md suggests for its API.

interface Row {
  readonly id: number;
  title: string;
}

/** A request as the server reads it. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed body, whatever each API expects. */
  readonly body: Body;
}

interface Body {
  readonly [name: string]: unknown;
  readonly title: string;
}

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Api = (request: Request) => Reply;

/** A task as the app shows it. */
interface Shown {
  readonly title: string;
}

/** What an app does with an API. `key` identifies a task in its params. */
interface Client {
  readonly endpoints: readonly object[];
  readonly list: EndpointInterface;
  tasks(response: never): readonly Shown[];
  key(task: never): unknown;
  get(controller: Controller, key: never): Promise<unknown>;
  create(controller: Controller, title: string): Promise<unknown>;
  update(controller: Controller, key: never, title: string): Promise<unknown>;
  delete(controller: Controller, key: never): Promise<unknown>;
}

let server: Server;
let origin: string;
let rows: Map<number, Row>;
let isDown: boolean;
let respond: Api;
let controllers: Controller[];

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  controllers = [];
  isDown = false;
  rows = new Map(['Kelp', 'Moss', 'Fern'].map((title, index) => [index + 1, { id: index + 1, title }]));
  server = createServer((request, response) => {
    if (isDown) {
      request.socket.destroy();
      return;
    }
    void text(request).then((sent) => {
      const { pathname, searchParams } = new URL(request.url!, origin);
      const { method, headers } = request;
      const isForm = headers['content-type']?.includes('urlencoded') === true;
      const body: Body =
        isForm || sent === '' ? Object.fromEntries(new URLSearchParams(sent)) : JSON.parse(sent);
      const path = decodeURIComponent(pathname);
      const reply = respond({ method: method!, path, query: searchParams, headers, body });
      const type = reply.body === undefined ? {} : { 'Content-Type': 'application/json' };
      response.writeHead(reply.status ?? 200, { ...type, ...reply.headers });
      response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
});

afterEach(async () => {
  await Promise.all(controllers.map((controller) => controller.stop()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const nothing: Reply = { status: 204 };
const notFound: Reply = { status: 404, body: { message: 'Not found' } };
const all = (): Row[] => [...rows.values()];

function add(title: string): Row {
  const row = { id: Math.max(...rows.keys()) + 1, title };
  rows.set(row.id, row);
  return row;
}

/** What a REST API does; each says only in which form. */
interface Forms {
  /** The id in a path; undefined for the path of the list. */
  readonly id?: (request: Request) => number | undefined;
  readonly title?: (body: Body) => string;
  readonly list: () => unknown;
  readonly one: (row: Row) => unknown;
  readonly created?: (row: Row) => Reply;
  readonly updated?: (row: Row, body: Body) => Reply;
  readonly deleted?: (row: Row) => Reply;
}

function rest({
  id = ({ path }) => (/\d/.test(path) ? Number(/\d+(?!.*\d)/.exec(path)) : undefined),
  title = (body) => body.title,
  list,
  one,
  created = (row) => ({ status: 201, body: one(row) }),
  updated = (row) => ({ body: one(row) }),
  deleted = () => nothing,
}: Forms): Api {
  return (request) => {
    const { method, body } = request;
    const key = id(request);
    if (key === undefined) return method === 'GET' ? { body: list() } : created(add(title(body)));
    const row = rows.get(key);
    if (row === undefined) return notFound;
    if (method === 'GET') return { body: one(row) };
    if (method === 'DELETE') {
      rows.delete(key);
      return deleted(row);
    }
    row.title = title(body);
    return updated(row, body);
  };
}

class Task extends Entity {
  id: number | string = '';
  title = '';
  static override key = 'Task';
}

/** The client of a resource whose members are called as usual. */
function clientOf(
  resource: Readonly<Record<'getList' | 'get' | 'create' | 'delete', EndpointInterface>>,
  update: EndpointInterface,
  {
    tasks,
    body = (title: string): unknown => ({ title }),
    params = (id: string): object => ({ id }),
    key = ({ id }: Task): unknown => id,
  }: {
    readonly tasks: (response: never) => readonly Shown[];
    readonly body?: (title: string) => unknown;
    readonly params?: (key: string) => object;
    readonly key?: (task: never) => unknown;
  },
): Client {
  const call = (controller: Controller, endpoint: EndpointInterface, ...args: unknown[]): Promise<unknown> =>
    controller.fetch(endpoint, ...args);
  return {
    endpoints: [resource],
    list: resource.getList,
    tasks,
    key,
    get: (controller, id) => call(controller, resource.get, params(id)),
    create: (controller, title) => call(controller, resource.create, body(title)),
    update: (controller, id, title) => call(controller, update, params(id), body(title)),
    delete: (controller, id) => call(controller, resource.delete, params(id)),
  };
}

const conventions: Readonly<Record<string, { readonly api: () => Api; readonly client: () => Client }>> = {
  'Django: a slash at the end, results in a page': {
    api: () => {
      const api = rest({ list: () => ({ count: rows.size, next: null, results: all() }), one: (row) => row });
      return (request) =>
        request.path.endsWith('/')
          ? api(request)
          : { status: 301, headers: { Location: `${origin}${request.path}/` } };
    },
    client() {
      const resource = createResource({
        urlPrefix: origin,
        path: '/api/tasks/:id/',
        schema: Task,
        optimistic: true,
      }).extend((base) => ({
        getList: base.getList.extend({ schema: { results: new Collection([Task]), count: 0 } }),
      }));
      return clientOf(resource, resource.partialUpdate, {
        tasks: ({ results }: { results: Task[] }) => results,
      });
    },
  },

  'Rails: the name of the model around every body, 204 for an update': {
    api: () =>
      rest({
        title: ({ task }) => (task as Row).title,
        list: () => ({ tasks: all() }),
        one: (row) => ({ task: row }),
        updated: () => nothing,
      }),
    client() {
      class RailsEndpoint<const O extends RestEndpointOptions> extends RestEndpoint<O> {
        override getRequestInit(body?: unknown) {
          return super.getRequestInit(body && { task: body });
        }
      }
      const tasks = new Collection([Task]);
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks/:id',
        schema: Task,
        Endpoint: RailsEndpoint,
        optimistic: true,
      }).extend((base) => ({
        get: base.get.extend({ schema: { task: Task } }),
        getList: base.getList.extend({ schema: { tasks } }),
        create: base.create.extend({ schema: { task: tasks.push } }),
        partialUpdate: base.partialUpdate.extend({ schema: { task: Task } }),
      }));
      return clientOf(resource, resource.partialUpdate, {
        tasks: (response: { tasks: Task[] }) => response.tasks,
      });
    },
  },

  'JSON:API: attributes, and a content type of its own': {
    api: () => {
      const one = ({ id, title }: Row) => ({ type: 'tasks', id: String(id), attributes: { title } });
      const api = rest({
        title: ({ data }) => (data as { attributes: Row }).attributes.title,
        list: () => ({ data: all().map(one) }),
        one: (row) => ({ data: one(row) }),
      });
      return (request) => {
        const { method, headers } = request;
        const isTyped = headers['content-type'] === 'application/vnd.api+json';
        return method === 'GET' || method === 'DELETE' || isTyped ? api(request) : { status: 415 };
      };
    },
    client() {
      class JsonApiTask extends Entity {
        id = '';
        attributes = { title: '' };
        static override key = 'Task';

        get title() {
          return this.attributes.title;
        }
      }
      class JsonApiEndpoint<const O extends RestEndpointOptions> extends RestEndpoint<O> {
        override getHeaders(headers: Record<string, string>) {
          return { ...headers, 'Content-Type': 'application/vnd.api+json' };
        }
        override getRequestInit(body?: object) {
          return super.getRequestInit(body && { data: { type: 'tasks', ...body } });
        }
        override async parseResponse(response: Response) {
          return ((await super.parseResponse(response)) as { data?: unknown } | null)?.data;
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks/:id',
        schema: JsonApiTask,
        Endpoint: JsonApiEndpoint,
        optimistic: true,
      });
      return clientOf(resource, resource.partialUpdate, {
        tasks: (response: JsonApiTask[]) => response,
        body: (title) => ({ attributes: { title } }),
      });
    },
  },

  'PostgREST: the id in the query, a list of one row': {
    api: () => {
      const api = rest({
        id: ({ query }) => (query.has('id') ? Number(query.get('id')?.slice('eq.'.length)) : undefined),
        list: all,
        one: (row) => [row],
      });
      return (request) => {
        const reply = api(request);
        const isShown = request.method === 'GET' || request.headers.prefer === 'return=representation';
        return isShown ? reply : { status: reply.status ?? 204 };
      };
    },
    client() {
      class PostgrestEndpoint<const O extends RestEndpointOptions> extends RestEndpoint<O> {
        override getHeaders(headers: Record<string, string>) {
          return { ...headers, Prefer: 'return=representation' };
        }
        override async parseResponse(response: Response) {
          const found = (await super.parseResponse(response)) as unknown[] | null;
          return this.path.includes('?') || this.sideEffect ? found?.[0] : found;
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks\\?id=eq.:id',
        schema: Task,
        Endpoint: PostgrestEndpoint,
        optimistic: true,
      });
      return clientOf(resource, resource.partialUpdate, { tasks: (response: Task[]) => response });
    },
  },

  'HAL: the id in a link, a create answered by a Location': {
    api: () => {
      const href = ({ id }: Row) => `${origin}/tasks/${id}`;
      const one = (row: Row) => ({ title: row.title, _links: { self: { href: href(row) } } });
      return rest({
        list: () => ({ _embedded: { tasks: all().map(one) } }),
        one,
        created: (row) => ({ status: 201, headers: { Location: href(row) } }),
        updated: () => ({ status: 200, headers: { 'Content-Length': '0' } }),
      });
    },
    client() {
      class HalTask extends Task {
        static override process(input: { readonly _links?: { readonly self: { readonly href: string } } }) {
          const { _links: links, ...fields } = input;
          return links === undefined ? fields : { ...fields, id: links.self.href.split('/').at(-1) };
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks/:id',
        schema: HalTask,
        optimistic: true,
      }).extend((base) => ({
        getList: base.getList.extend({ schema: { _embedded: { tasks: new Collection([HalTask]) } } }),
      }));
      return clientOf(resource, resource.update, {
        tasks: (response: { _embedded: { tasks: Task[] } }) => response._embedded.tasks,
      });
    },
  },

  'commands: a create answered by the id alone, and true for what succeeded': {
    api: () =>
      rest({
        list: all,
        one: (row) => row,
        created: ({ id }) => ({ body: id }),
        updated: () => ({ body: true }),
        deleted: () => ({ body: true }),
      }),
    client() {
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks/:id',
        schema: Task,
        optimistic: true,
      });
      return clientOf(resource, resource.partialUpdate, { tasks: (response: Task[]) => response });
    },
  },

  'Firebase: a map of rows, and null for a deleted one': {
    api: () =>
      rest({
        list: () => Object.fromEntries(all().map(({ id, title }) => [`-N${id}`, { title }])),
        one: ({ title }) => ({ title }),
        created: ({ id }) => ({ body: { name: `-N${id}` } }),
        updated: (_row, body) => ({ body }),
        deleted: () => ({ body: null }),
      }),
    client() {
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks/:id.json',
        schema: Task,
        optimistic: true,
      }).extend((base) => ({
        get: base.get.extend({ process: (fields: object, { id }) => ({ ...fields, id }) }),
        getList: base.getList.extend({
          path: '/tasks.json',
          process: (map: object | null) =>
            Object.entries(map ?? {}).map(([id, fields]: [string, object]) => ({ ...fields, id })),
        }),
        create: base.create.extend({
          path: '/tasks.json',
          process: ({ name }: { name: string }) => ({ id: name }),
        }),
        partialUpdate: base.partialUpdate.extend({
          process: (fields: object, { id }) => ({ ...fields, id }),
        }),
      }));
      return clientOf(resource, resource.partialUpdate, { tasks: (response: Task[]) => response });
    },
  },

  'OData: keys in parentheses': {
    api: () => {
      const one = ({ id, title }: Row) => ({ '@odata.etag': 'W/"1"', ID: id, title });
      return rest({
        list: () => ({ '@odata.count': rows.size, value: all().map(one) }),
        one,
        updated: () => nothing,
      });
    },
    client() {
      class ODataTask extends Entity {
        ID: number | string = '';
        title = '';
        static override key = 'Task';

        override pk() {
          return this.ID;
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/odata/Tasks\\(:ID\\)',
        schema: ODataTask,
        optimistic: true,
      }).extend((base) => ({
        getList: base.getList.extend({
          path: '/odata/Tasks',
          schema: { value: new Collection([ODataTask]), '@odata.count': 0 },
        }),
        create: base.create.extend({ path: '/odata/Tasks' }),
      }));
      return clientOf(resource, resource.partialUpdate, {
        tasks: ({ value }: { value: ODataTask[] }) => value,
        key: ({ ID }: ODataTask) => ID,
        params: (ID) => ({ ID }),
      });
    },
  },

  'a file server: a path of several segments as the id': {
    api: () => {
      const one = ({ id, title }: Row) => ({ path: `notes/${id}.md`, title });
      return rest({ list: () => all().map(one), one, updated: () => nothing });
    },
    client() {
      class FileTask extends Entity {
        path = '';
        title = '';
        static override key = 'Task';

        override pk() {
          return this.path;
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/files/*path',
        schema: FileTask,
        optimistic: true,
      });
      return clientOf(resource, resource.partialUpdate, {
        tasks: (response: FileTask[]) => response,
        key: ({ path }: FileTask) => path,
        params: (path) => ({ path }),
      });
    },
  },

  'Hydra: the path as the id': {
    api: () => {
      const one = ({ id, title }: Row) => ({ '@id': `/tasks/${id}`, '@type': 'Task', title });
      return rest({ list: () => ({ member: all().map(one), totalItems: rows.size }), one });
    },
    client() {
      class HydraTask extends Task {
        static override process({ '@id': iri, ...fields }: { readonly '@id'?: string }) {
          return iri === undefined ? fields : { ...fields, id: iri.split('/').at(-1) };
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks/:id',
        schema: HydraTask,
        optimistic: true,
      }).extend((base) => ({
        getList: base.getList.extend({ schema: { member: new Collection([HydraTask]), totalItems: 0 } }),
      }));
      return clientOf(resource, resource.partialUpdate, {
        tasks: ({ member }: { member: Task[] }) => member,
      });
    },
  },

  'RPC: POST for everything, 200 for everything': {
    api:
      () =>
      ({ path, body: { id, title } }) => {
        const row = rows.get(Number(id));
        if (path === '/tasks.list') return { body: { ok: true, tasks: all() } };
        if (path === '/tasks.create') return { body: { ok: true, task: add(title) } };
        if (row === undefined) return { body: { ok: false, error: 'not_found' } };
        if (path === '/tasks.update') row.title = title;
        if (path === '/tasks.delete') rows.delete(row.id);
        return { body: path === '/tasks.delete' ? { ok: true } : { ok: true, task: row } };
      },
    client() {
      const tasks = new Collection([Task]);
      const shared = {
        urlPrefix: origin,
        method: 'POST',
        getOptimisticResponse: (_snapshot: unknown, task: object) => ({ ok: true, task }),
      } as const;
      const update = new RestEndpoint({
        ...shared,
        path: '/tasks.update',
        body: {} as { id: string; title: string },
        schema: { ok: true, task: Task },
      });
      const remove = new RestEndpoint({
        ...shared,
        path: '/tasks.delete',
        body: {} as { id: string },
        schema: { ok: true, task: new Invalidate(Task) },
        process: (reply: object, task: object) => ({ ...reply, task }),
      });
      const create = new RestEndpoint({
        ...shared,
        path: '/tasks.create',
        body: {} as { title: string },
        schema: { ok: true, task: tasks.push },
      });
      const read = { urlPrefix: origin, method: 'POST', sideEffect: false } as const;
      const list = new RestEndpoint({ ...read, path: '/tasks.list', schema: { ok: true, tasks } });
      const get = new RestEndpoint({
        ...read,
        path: '/tasks.info',
        body: {} as { id: string },
        schema: { ok: true, task: Task },
      });
      return {
        endpoints: [create, update, remove],
        list,
        tasks: (response: { tasks: Task[] }) => response.tasks,
        key: ({ id }: Task) => id,
        get: (controller, id) => controller.fetch(get, { id }),
        create: (controller, title) => controller.fetch(create, { title }),
        update: (controller, id, title) => controller.fetch(update, { id, title }),
        delete: (controller, id) => controller.fetch(remove, { id }),
      };
    },
  },

  'a document database: acknowledgements instead of rows': {
    api: () => {
      const one = ({ id, title }: Row) => ({ _id: String(id), title });
      return rest({
        list: () => all().map(one),
        one,
        created: ({ id }) => ({ body: { acknowledged: true, insertedId: String(id) } }),
        updated: () => ({ body: { modifiedCount: 1 } }),
        deleted: () => ({ body: { deletedCount: 1 } }),
      });
    },
    client() {
      class MongoTask extends Entity {
        _id = '';
        title = '';
        static override key = 'Task';

        override pk() {
          return this._id;
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/tasks/:_id',
        schema: MongoTask,
        optimistic: true,
      }).extend((base) => ({
        create: base.create.extend({
          process: ({ insertedId }: { insertedId: string }) => ({ _id: insertedId }),
        }),
        partialUpdate: base.partialUpdate.extend({ process: (_reply: unknown, { _id }) => ({ _id }) }),
      }));
      return clientOf(resource, resource.partialUpdate, {
        tasks: (response: MongoTask[]) => response,
        key: ({ _id }: MongoTask) => _id,
        params: (_id) => ({ _id }),
      });
    },
  },

  'Stripe: forms, POST for updates': {
    api: () => {
      const one = ({ id, title }: Row) => ({ id: `cus_${id}`, object: 'customer', title });
      return rest({
        id: ({ path }) => (path.includes('cus_') ? Number(path.split('cus_')[1]) : undefined),
        list: () => ({ object: 'list', data: all().map(one), has_more: false }),
        one,
        created: (row) => ({ body: one(row) }),
        deleted: ({ id }) => ({ body: { id: `cus_${id}`, object: 'customer', deleted: true } }),
      });
    },
    client() {
      const resource = createResource({
        urlPrefix: origin,
        path: '/v1/customers/:id',
        schema: Task,
        optimistic: true,
      }).extend((base) => ({
        getList: base.getList.extend({ schema: { data: new Collection([Task]), has_more: false } }),
        partialUpdate: base.partialUpdate.extend({ method: 'POST' }),
      }));
      return clientOf(resource, resource.partialUpdate, {
        tasks: ({ data }: { data: Task[] }) => data,
        body: (title) => new URLSearchParams({ title }),
      });
    },
  },

  'Shopify: .json at the end, wrapped bodies': {
    api: () => {
      const api = rest({
        title: ({ product }) => (product as Row).title,
        list: () => ({ products: all() }),
        one: (row) => ({ product: row }),
        deleted: () => ({ body: {} }),
      });
      return (request) => (request.path.endsWith('.json') ? api(request) : { status: 406 });
    },
    client() {
      const resource = createResource({
        urlPrefix: origin,
        path: '/products/:id.json',
        schema: Task,
        optimistic: true,
      }).extend((base) => ({
        get: base.get.extend({ schema: { product: Task } }),
        getList: base.getList.extend({
          path: '/products.json',
          schema: { products: new Collection([Task]) },
        }),
        create: base.create.extend({ path: '/products.json', schema: { product: Task } }),
        update: base.update.extend({ schema: { product: Task } }),
      }));
      return clientOf(resource, resource.update, {
        tasks: ({ products }: { products: Task[] }) => products,
        body: (title) => ({ product: { title } }),
      });
    },
  },

  'a headless CMS: the id in another object': {
    api: () => {
      const one = ({ id, title }: Row) => ({ sys: { id: `e${id}`, type: 'Entry' }, fields: { title } });
      return rest({
        title: ({ fields }) => (fields as Row).title,
        list: () => ({ sys: { type: 'Array' }, total: rows.size, items: all().map(one) }),
        one,
      });
    },
    client() {
      class Entry extends Entity {
        id = '';
        fields = { title: '' };
        static override key = 'Entry';

        get title() {
          return this.fields.title;
        }

        static override process({ sys, ...fields }: { readonly sys?: { readonly id: string } }) {
          return sys === undefined ? fields : { ...fields, id: sys.id };
        }
      }
      const resource = createResource({
        urlPrefix: origin,
        path: '/entries/:id',
        schema: Entry,
        optimistic: true,
      }).extend((base) => ({
        getList: base.getList.extend({ schema: { items: new Collection([Entry]), total: 0 } }),
      }));
      return clientOf(resource, resource.update, {
        tasks: ({ items }: { items: Entry[] }) => items,
        body: (title) => ({ fields: { title } }),
      });
    },
  },

  'CouchDB: JSON as text, and every change names the revision that it changes': {
    api: () => {
      const revisions = new Map<number, number>();
      const revision = ({ id }: Row) => `${revisions.get(id) ?? 1}-x`;
      const one = (row: Row) => ({ _id: String(row.id), _rev: revision(row), title: row.title });
      const done = (row: Row): Reply => ({
        status: 201,
        body: { ok: true, id: String(row.id), rev: revision(row) },
      });
      const api = rest({
        list: () => ({ total_rows: rows.size, rows: all().map((row) => ({ doc: one(row) })) }),
        one,
        created: done,
        updated(row) {
          revisions.set(row.id, (revisions.get(row.id) ?? 1) + 1);
          return done(row);
        },
      });
      return (request) => {
        const { method, path, query, body } = request;
        const row = rows.get(Number(path.split('/').at(-1)));
        const known = query.get('rev') ?? body._rev;
        const isStale = row !== undefined && method !== 'GET' && known !== revision(row);
        const reply = isStale ? { status: 409, body: { error: 'conflict' } } : api(request);
        return { ...reply, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
      };
    },
    client() {
      class CouchTask extends Entity {
        _id = '';
        _rev = '';
        title = '';
        static override key = 'Task';

        override pk() {
          return this._id;
        }
      }
      const done = ({ id, rev }: { id: string; rev: string }) => ({ _id: id, _rev: rev });
      /** What an app reads from its own controller. */
      const stored = (_id: string) => controllers.at(-1)!.get(CouchTask, { _id });
      const resource = createResource({
        urlPrefix: origin,
        path: '/db/:_id',
        schema: CouchTask,
        optimistic: true,
      }).extend((base) => {
        const put = base.update.extend({ process: done });
        return {
          getList: base.getList.extend({
            path: '/db/_all_docs\\?include_docs=true',
            process: (response: { rows: { doc: object }[] }) => response.rows.map(({ doc }) => doc),
          }),
          create: base.create.extend({ process: done }),
          update: put.extend({
            // The revision when it is sent: an earlier change in the queue has changed it.
            fetch(params, body) {
              return put.fetch.call(this, params, { ...body, _rev: stored(String(params._id))?._rev });
            },
          }),
          delete: base.delete.extend({ searchParams: {} as { rev: string } }),
        };
      });
      return {
        ...clientOf(resource, resource.update, {
          tasks: (response: CouchTask[]) => response,
          key: ({ _id }: CouchTask) => _id,
          params: (_id) => ({ _id }),
        }),
        delete: (controller, _id: string) =>
          controller.fetch(resource.delete, { _id, rev: stored(_id)!._rev }),
      };
    },
  },
};

interface Page {
  readonly client: Client;
  readonly controller: Controller;
  readonly box: OutboxPlugin;
  readonly titles: () => readonly string[];
  /** The key of the task with a title. */
  readonly key: (title: string) => never;
}

async function open(client: Client): Promise<Page> {
  const box = outbox({ endpoints: client.endpoints });
  const controller = new Controller({ plugins: [indexedDB({ name: 'app', persist: 'all' }), box] });
  controllers.push(controller);
  await controller.ready;
  const shown = (): readonly Shown[] => client.tasks(controller.getResponse(client.list).data as never);
  await controller.fetchIfStale(client.list);
  return {
    client,
    controller,
    box,
    titles: () => shown().map(({ title }) => title),
    key: (title) => client.key(shown().find((task) => task.title === title) as never) as never,
  };
}

const onServer = () => all().map(({ title }) => title);

it.each(Object.keys(conventions))('an offline app works with the conventions of %s', async (name) => {
  const { api, client } = conventions[name]!;
  respond = api();
  let page = await open(client());
  expect(page.titles()).toEqual(['Kelp', 'Moss', 'Fern']);
  await page.client.get(page.controller, page.key('Kelp'));
  await page.controller.stop();

  isDown = true;
  page = await open(client());
  expect(page.titles()).toEqual(['Kelp', 'Moss', 'Fern']);
  await page.client.update(page.controller, page.key('Kelp'), 'Kelp 2');
  await page.client.delete(page.controller, page.key('Moss'));
  await page.client.create(page.controller, 'Sedge');
  expect(page.titles()).toEqual(['Kelp 2', 'Fern', 'Sedge']);
  await page.client.update(page.controller, page.key('Sedge'), 'Sedge 2');
  await page.client.update(page.controller, page.key('Kelp 2'), 'Kelp 3');
  expect(page.titles()).toEqual(['Kelp 3', 'Fern', 'Sedge 2']);
  await page.controller.stop();

  page = await open(client());
  expect(page.titles()).toEqual(['Kelp 3', 'Fern', 'Sedge 2']);
  isDown = false;
  while (!(await page.box.drain())) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(page.box.status.get()).toMatchObject({ pending: [], failed: [] });
  expect(onServer()).toEqual(['Kelp 3', 'Fern', 'Sedge 2']);
  expect(page.titles()).toEqual(['Kelp 3', 'Fern', 'Sedge 2']);

  await page.controller.fetch(page.client.list);
  await page.client.update(page.controller, page.key('Fern'), 'Fern 2');
  await page.client.create(page.controller, 'Tansy');
  await page.client.delete(page.controller, page.key('Kelp 3'));
  expect(page.titles()).toEqual(['Fern 2', 'Sedge 2', 'Tansy']);
  expect(onServer()).toEqual(['Fern 2', 'Sedge 2', 'Tansy']);
  await page.controller.stop();

  isDown = true;
  page = await open(client());
  expect(page.titles()).toEqual(['Fern 2', 'Sedge 2', 'Tansy']);
});
