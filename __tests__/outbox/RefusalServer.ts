import { NetworkError } from 'holdfast';
import { ORIGIN, TABLES, type RefusalPage, type Row, type TableName } from './RefusalPage.ts';

/** What becomes of a mutation: the server does it, it or the response gets lost, or it is refused. */
export type Outcome = 'ok' | 'lost' | 'down' | 403 | 404 | 409 | 412 | 422 | 500;

/** A request on its way. */
export interface RefusalRequest {
  readonly page: RefusalPage;
  readonly method: string;
  readonly table: TableName;
  /** Undefined for a list, or a creation. */
  readonly id: string | undefined;
  readonly body: Partial<Row>;
  readonly key: string | null;
  /** When it was sent, among all requests and responses. */
  readonly sentAt: number;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
  /** Undefined until the server has executed it; an error where the response is lost. */
  response?: Response | NetworkError;
}

/** A server that others use as well, and that refuses what it is told to. It remembers what it has done by its key. */
export class RefusalServer {
  readonly tables: Record<TableName, Map<string, Row>> = { tasks: new Map(), comments: new Map() };
  /** The tags of what it has created. */
  readonly created = new Set<string>();
  /** The responses by key, also those that refuse. */
  readonly #answers = new Map<string, Response>();
  readonly #respondsWithData: boolean;

  constructor(respondsWithData: boolean) {
    this.#respondsWithData = respondsWithData;
    for (const id of ['a', 'b']) this.put('tasks', { id, tag: id, text: id, title: id });
    this.put('comments', { id: 'c', tag: 'c', text: 'c', title: 'c', task: 'a' });
  }

  put(table: TableName, row: Row): void {
    this.tables[table].set(row.id, row);
  }

  execute(request: RefusalRequest, outcome: Outcome): void {
    const { method, key, table, id } = request;
    if (method === 'GET' || key === null) {
      request.response = this.#answer(request);
      return;
    }
    if (outcome === 'down') {
      request.response = noConnection(request);
      return;
    }
    const done = this.#answers.get(key);
    const isRefused = typeof outcome === 'number' && (outcome === 500 || done === undefined);
    if (isRefused) {
      const row = id === undefined ? undefined : this.tables[table].get(id);
      const theirs = outcome === 409 || outcome === 412 ? row : undefined;
      request.response = Response.json(theirs ?? null, { status: outcome });
      if (outcome !== 500) this.#answers.set(key, request.response.clone());
      return;
    }
    const response = done === undefined ? this.#answer(request) : this.#again(request, done);
    this.#answers.set(key, response.clone());
    request.response = outcome === 'lost' ? noConnection(request) : response;
  }

  /** Asked again, it responds with what it has now. */
  #again({ table, id, body }: RefusalRequest, done: Response): Response {
    const now = this.tables[table].get(id ?? body.tag ?? '');
    return now !== undefined && done.ok && done.status !== 204
      ? Response.json(now, { status: done.status })
      : done.clone();
  }

  #answer({ method, table, id, body }: RefusalRequest): Response {
    const rows = this.tables[table];
    if (method === 'POST') {
      if (body.task !== undefined && !this.tables.tasks.has(body.task))
        return new Response(null, { status: 422 });
      const { tag = '' } = body;
      if (this.created.has(tag)) throw new Error(`${tag} is created twice`);
      this.created.add(tag);
      const row = { ...(body as Row), id: tag }; // the page sends all fields
      rows.set(tag, row);
      return Response.json(row, { status: 201 });
    }
    if (id === undefined) return Response.json([...rows.values()]);
    const row = rows.get(id);
    if (row === undefined) return new Response(null, { status: 404 });
    if (method === 'GET') return Response.json(row);
    if (method === 'DELETE') {
      rows.delete(id);
      return new Response(null, { status: 204 });
    }
    const changed = { ...row, ...body };
    rows.set(id, changed);
    return this.#respondsWithData ? Response.json(changed) : new Response(null, { status: 204 });
  }
}

/** What a request asks for. */
export function partsOf(url: string): Pick<RefusalRequest, 'table' | 'id'> {
  const [, name, id] = new URL(url, ORIGIN).pathname.split('/');
  const table = TABLES.find((table) => table === name);
  if (table === undefined) throw new Error(`No table at ${url}`);
  return { table, id };
}

function noConnection({ method, table }: RefusalRequest): NetworkError {
  return new NetworkError('No connection', { status: 0, url: table, method });
}
