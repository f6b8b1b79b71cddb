import { NetworkError } from 'holdfast';
import type { Release } from './Release.ts';

/** A request on its way, with the release of the app that sends it. */
export interface DeploymentRequest {
  readonly release: Release;
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  /** Undefined until the server has executed it. */
  response?: Response;
}

/** A server that serves each release of the app in its own way, and whose requests the test executes and answers. */
export class DeploymentServer {
  /** What is on its way, in order. */
  readonly requests = new Set<DeploymentRequest>();
  /** The mutations that it has executed, each named by what it was asked for. */
  readonly handled: string[] = [];
  /** What must never happen. */
  readonly violations: string[] = [];
  /** The status of the next mutation, in place of its execution. */
  refusal: 409 | 422 | undefined;
  /** Tag → text. */
  readonly notes = new Map<string, string>([['t0', 't0 first']]);
  readonly #responses = new Map<string, Response>();

  readonly #releases: readonly Release[];

  constructor(releases: readonly Release[]) {
    this.#releases = releases;
  }

  execute(request: DeploymentRequest): void {
    request.response ??= this.#execute(request);
  }

  /** Lets a response arrive, or loses it. */
  end(request: DeploymentRequest, isLost = false): void {
    this.requests.delete(request);
    const { response, method, path, resolve, reject } = request;
    if (isLost) reject(new NetworkError('No connection', { status: 0, url: path, method }));
    else if (response !== undefined) resolve(response);
  }

  #execute(request: DeploymentRequest): Response {
    const { key } = request;
    const known = key === null ? undefined : this.#responses.get(key);
    if (known !== undefined) return known.clone();
    const response = this.#answer(request);
    if (key !== null && response.status !== 409) this.#responses.set(key, response.clone());
    return response;
  }

  #answer({ release, method, path, body }: DeploymentRequest): Response {
    const sent = `${method} ${path} ${JSON.stringify(body)} by ${release.version}, ${release.field}`;
    const rest = path.startsWith(release.path) ? path.slice(release.path.length + 1) : undefined;
    // Releases of one version send what the other has queued, whatever it calls its fields.
    const fields = this.#releases
      .filter(({ version }) => version === release.version)
      .map(({ field }) => field);
    const isKnown = Object.keys(body).every((name) => ['tag', ...fields].includes(name));
    if (rest === undefined || !isKnown) this.violations.push(sent);
    if (method === 'GET') {
      const all = [...this.notes.keys()].map((tag) => this.#represented(tag, release));
      return Response.json(release.list === 'page' ? { items: all, next: '' } : all);
    }
    const tag = (rest === '' || rest === undefined ? body['tag'] : rest.replace(/^s-/, '')) ?? '';
    const text = fields.map((field) => body[field]).find((value) => value !== undefined);
    if (sent.includes('optimistic')) this.violations.push(sent);
    if (this.refusal !== undefined) {
      const status = this.refusal;
      this.refusal = undefined;
      return Response.json(this.notes.has(tag) ? this.#represented(tag, release) : {}, { status });
    }
    if (method === 'PATCH' && !this.notes.has(tag)) return new Response(null, { status: 404 });
    this.handled.push(
      method === 'POST' ? `create ${tag}` : method === 'DELETE' ? `remove ${tag}` : `edit ${text}`,
    );
    if (method === 'POST') {
      this.notes.set(tag, text ?? '');
      return Response.json(this.#represented(tag, release), { status: 201 });
    }
    if (method === 'DELETE') {
      this.notes.delete(tag);
      return new Response(null, { status: 204 });
    }
    if (!text?.startsWith(`${tag} `)) this.violations.push(sent);
    this.notes.set(tag, text ?? '');
    return Response.json(this.#represented(tag, release));
  }

  #represented(tag: string, { field, hasDate }: Release): object {
    const at = hasDate ? { at: '2026-01-31T00:00:00.000Z' } : {};
    return { id: tag, slug: `s-${tag}`, tag, [field]: this.notes.get(tag), ...at };
  }
}
