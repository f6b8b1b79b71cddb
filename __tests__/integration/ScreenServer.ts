import { createResource, Entity, NetworkError, RestEndpoint, type RestEndpointOptions } from 'holdfast';

/** Why a request fails: there is no connection, or the server's status. */
export type Fault = 'down' | 404 | 500;

interface Task {
  readonly id: string;
  readonly text: string;
  readonly group: string;
}

interface HeldRequest {
  readonly method: string;
  /** The id in its path, and the group in its query. */
  readonly id: string | undefined;
  readonly group: string | null;
  readonly body: Task;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  /** What the server has done, until it arrives; undefined before that. */
  response?: Response | NetworkError;
}

const ORIGIN = 'https://example.com';
/** For the types of a list's params. */
const LISTED: { readonly group?: string } = {};

/** A server of tasks in two groups. The test says when it executes each request, and when the response arrives. */
export class ScreenServer {
  readonly #tasks = new Map<string, Task>();
  readonly #held = new Set<HeldRequest>();
  /** How many requests have been sent. */
  count = 0;

  constructor() {
    for (const [id, group] of [
      ['a', 'x'],
      ['b', 'y'],
    ] as const)
      this.#tasks.set(id, { id, text: id, group });
  }

  /** The endpoints of a page: a reload evaluates the modules again. */
  resource({ isOptimistic, hidesStale }: { readonly isOptimistic: boolean; readonly hidesStale: boolean }) {
    class TaskOfGroup extends Entity {
      id = '';
      text = '';
      group = '';
      static override key = 'Task';
    }
    const hold = (url: string, init: RequestInit): Promise<Response> => this.#hold(url, init);
    class Holding<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
      override fetchResponse(url: string, init: RequestInit): Promise<Response> {
        return hold(url, init);
      }
    }
    return createResource({
      urlPrefix: ORIGIN,
      path: '/tasks/:id',
      schema: TaskOfGroup,
      searchParams: LISTED,
      optimistic: isOptimistic,
      invalidIfStale: hidesStale,
      dataExpiryLength: 60_000,
      errorExpiryLength: 1_000,
      Endpoint: Holding,
    });
  }

  #hold(url: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> {
    this.count += 1;
    const { pathname, searchParams } = new URL(url);
    return new Promise((resolve, reject) => {
      const request: HeldRequest = {
        method,
        id: pathname.split('/')[2],
        group: searchParams.get('group'),
        body: JSON.parse(typeof body === 'string' ? body : '{}') as Task,
        resolve,
        reject,
      };
      signal?.addEventListener('abort', () => {
        this.#held.delete(request);
        reject(signal.reason as Error);
      });
      this.#held.add(request);
    });
  }

  get isIdle(): boolean {
    return this.#held.size === 0;
  }

  /** The browser drops all requests, as when the page is left. */
  drop(): void {
    this.#held.clear();
  }

  /** Another user changes a task. */
  change(id: string, text: string): void {
    const task = this.#tasks.get(id);
    if (task !== undefined) this.#tasks.set(id, { ...task, text });
  }

  /** Executes one of the requests, unless it has done that. */
  execute(nth: number): void {
    const request = this.#nth(nth);
    if (request !== undefined) this.#responseTo(request);
  }

  /** The response to one of the requests arrives. */
  respond(nth: number): void {
    const request = this.#nth(nth);
    if (request === undefined) return;
    const response = this.#responseTo(request);
    this.#held.delete(request);
    if (response instanceof NetworkError) request.reject(response);
    else request.resolve(response);
  }

  /** One of the requests fails, whether the server has executed it or not. */
  fail(nth: number, fault: Fault): void {
    const request = this.#nth(nth);
    if (request === undefined) return;
    this.#held.delete(request);
    request.reject(errorOf(request, fault === 'down' ? 0 : fault));
  }

  #nth(nth: number): HeldRequest | undefined {
    const held = [...this.#held];
    return held[nth % held.length];
  }

  /** The response to a request, which is executed if it was not yet: mutations in the order in which they were sent. */
  #responseTo(request: HeldRequest): Response | NetworkError {
    for (const earlier of this.#held) {
      if (earlier === request) break;
      if (request.method !== 'GET' && earlier.method !== 'GET') earlier.response ??= this.#execute(earlier);
    }
    return (request.response ??= this.#execute(request));
  }

  #execute(request: HeldRequest): Response | NetworkError {
    const { method, id, group, body } = request;
    if (id === undefined && method === 'GET') return Response.json(this.#list(group));
    if (id === undefined) {
      this.#tasks.set(body.id, body);
      return Response.json(body);
    }
    const task = this.#tasks.get(id);
    if (task === undefined) return errorOf(request, 404);
    if (method === 'DELETE') this.#tasks.delete(id);
    else if (method !== 'GET') this.#tasks.set(id, { ...task, ...body });
    return Response.json(this.#tasks.get(id) ?? { id });
  }

  #list(group: string | null): readonly Task[] {
    return [...this.#tasks.values()].filter((task) => group === null || task.group === group);
  }

  /** What a screen should show of a list, or of one task. */
  expected(read: ScreenRead): string {
    if (read.kind === 'list') return shown(this.#list(read.group ?? null));
    const task = this.#tasks.get(read.id);
    return task === undefined ? 'error' : shown(task);
  }
}

function errorOf({ id, method }: HeldRequest, status: number): NetworkError {
  const response = status === 0 ? undefined : new Response(null, { status });
  return new NetworkError(`Status ${status}`, { status, url: `/tasks/${id}`, method, response });
}

/** What a screen reads. */
export type ScreenRead =
  | { readonly kind: 'list'; readonly group: string | undefined }
  | { readonly kind: 'detail'; readonly id: string };

/** The text of what was read, in an order of its own. */
export function shown(data: unknown): string {
  if (data === undefined) return 'none';
  const tasks = (Array.isArray(data) ? data : [data]) as readonly Task[];
  return tasks
    .map(({ id, text, group }) => `${id}:${text}:${group}`)
    .sort()
    .join(' ');
}
