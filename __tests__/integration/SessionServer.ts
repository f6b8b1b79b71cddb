import { NetworkError } from 'holdfast';

export type User = 'ada' | 'grace';

export interface Note {
  readonly id: string;
  /** Names its owner, and is the same before and after the server has assigned the pk. */
  readonly tag: string;
  readonly text: string;
}

/** Who a device says is signed in: a cookie that its pages share. */
export interface Cookie {
  readonly user: User;
  readonly token: number;
}

/** A request on its way. */
export interface SessionRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Partial<Note>;
  readonly key: string | null;
  readonly cookie: Cookie | undefined;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  /** Undefined until the server has executed it. */
  response?: Response;
}

/** A server whose users have their own notes, and whose requests the test executes and answers. */
export class SessionServer {
  /** What is on its way, in order. */
  readonly requests = new Set<SessionRequest>();
  /** The mutations that it has accepted or rejected, each named by what it was asked for. */
  readonly handled: string[] = [];
  /** What must never happen. */
  readonly violations: string[] = [];
  readonly #notes: Record<User, Map<string, Note>> = { ada: new Map(), grace: new Map() };
  readonly #tokens: Record<User, number> = { ada: 0, grace: 0 };
  readonly #responses = new Map<string, Response>();

  constructor() {
    for (const user of ['ada', 'grace'] as const) {
      const tag = `${user}-0`;
      this.#notes[user].set(tag, { id: tag, tag, text: tag });
    }
  }

  notesOf(user: User): readonly Note[] {
    return [...this.#notes[user].values()];
  }

  signIn(user: User): Cookie {
    return { user, token: (this.#tokens[user] += 1) };
  }

  expire(user: User): void {
    this.#tokens[user] += 1;
  }

  isValid({ user, token }: Cookie): boolean {
    return this.#tokens[user] === token;
  }

  execute(request: SessionRequest): void {
    request.response ??= this.#execute(request);
  }

  /** Lets a response arrive, or loses it. */
  end(request: SessionRequest, isLost = false): void {
    this.requests.delete(request);
    const { response, method, path, resolve, reject } = request;
    if (isLost) reject(new NetworkError('No connection', { status: 0, url: path, method }));
    else if (response !== undefined) resolve(response);
  }

  #execute({ method, path, body, key, cookie }: SessionRequest): Response {
    if (cookie === undefined || !this.isValid(cookie)) return new Response(null, { status: 401 });
    const known = key === null ? undefined : this.#responses.get(key);
    const response = known ?? this.#answer(method, path, body, cookie.user);
    if (key !== null) this.#responses.set(key, response.clone());
    return response.clone();
  }

  #answer(method: string, path: string, body: Partial<Note>, user: User): Response {
    const notes = this.#notes[user];
    const [, , id] = path.split('/');
    if (method === 'GET' && id === undefined) return Response.json([...notes.values()]);
    const tag = id ?? body.tag ?? '';
    if (!tag.startsWith(user)) this.violations.push(`${method} ${path} of ${tag} for ${user}`);
    if (method === 'GET')
      return notes.has(tag) ? Response.json(notes.get(tag)) : new Response(null, { status: 404 });
    this.handled.push(
      method === 'POST' ? `create ${tag}` : method === 'DELETE' ? `remove ${tag}` : `edit ${body.text ?? ''}`,
    );
    const before = notes.get(tag);
    if (method === 'POST') {
      const note = { tag, text: '', ...body, id: tag };
      notes.set(tag, note);
      return Response.json(note, { status: 201 });
    }
    if (before === undefined) return new Response(null, { status: 404 });
    if (method === 'DELETE') {
      notes.delete(tag);
      return new Response(null, { status: 204 });
    }
    const note = { ...before, ...body, id: tag };
    notes.set(tag, note);
    return Response.json(note);
  }
}
