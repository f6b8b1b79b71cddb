import {
  type Controller,
  createResource,
  Entity,
  NetworkError,
  RestEndpoint,
  type RestEndpointOptions,
} from 'holdfast';

export class SluggedArticle extends Entity {
  slug = '';
  title = '';
  body = '';
  override pk() {
    return this.slug;
  }
  static override key = 'Article';
}

export class CommentOnArticle extends Entity {
  id: number | string = 0;
  text = '';
  article: SluggedArticle | undefined = undefined;
  static override key = 'Comment';
  static override schema = { article: SluggedArticle };
}

interface Stored {
  slug: string;
  title: string;
  body?: string;
  comments: { id: number; text: string }[];
}

/** A server of articles that are named by what their titles say: another title gives another slug. */
export class SlugServer {
  readonly articles = new Map<string, Stored>();
  /** Every request that has reached it, with its status. */
  readonly seen: string[] = [];
  isDown = false;
  /** Whether it refuses a slug that another article has; otherwise it adds a number. */
  refusesTaken = false;
  /** Whether all its paths end with a slash. */
  hasSlashes = false;
  readonly #answers = new Map<string, Response>();
  #lastId = 0;

  readonly respond = async (requested: string, init: RequestInit): Promise<Response> => {
    await Promise.resolve();
    if (requested.endsWith('/') !== this.hasSlashes) throw new Error(`Wrong path: ${requested}`);
    const url = requested.replace(/\/$/, '');
    const method = init.method ?? 'GET';
    if (this.isDown) throw new NetworkError('No connection', { status: 0, url, method });
    const key = new Headers(init.headers).get('Idempotency-Key');
    const response = this.#answers.get(key ?? '') ?? this.#handle(method, url, init.body);
    if (key !== null) this.#answers.set(key, response);
    this.seen.push(`${method} ${url} ${response.status}`);
    if (!response.ok)
      throw new NetworkError(`Status ${response.status}`, { status: response.status, url, method, response });
    return response.clone();
  };

  add(title: string, more: object = {}): void {
    const slug = this.#slugOf(title);
    this.articles.set(slug, { slug, title, comments: [], ...more });
  }

  #handle(method: string, url: string, sent: unknown): Response {
    const [, , slug, below] = url.split('/').map(decodeURIComponent);
    const body = (typeof sent === 'string' ? JSON.parse(sent) : {}) as {
      title?: string;
      slug?: string;
      text?: string;
    };
    if (slug === undefined && method === 'GET') return Response.json([...this.articles.values()].map(shown));
    if (slug === undefined) {
      const title = body.title ?? '';
      const made = this.#slugOf(title);
      this.articles.set(made, { ...body, title, slug: made, comments: [] });
      return Response.json(shown(this.articles.get(made)!));
    }
    const article = this.articles.get(slug);
    if (article === undefined) return new Response(null, { status: 404 });
    if (below === 'comments') {
      if (method === 'GET') return Response.json(article.comments);
      const comment = { ...body, id: (this.#lastId += 1), text: body.text ?? '' };
      article.comments.push(comment);
      return Response.json(comment);
    }
    if (method === 'DELETE') this.articles.delete(slug);
    if (method === 'PATCH') {
      const named = body.title ?? body.slug;
      if (this.refusesTaken && named !== undefined && this.#isTaken(named, slug))
        return Response.json({ message: 'taken' }, { status: 422 });
      this.articles.delete(slug);
      Object.assign(article, body, { slug: named === undefined ? slug : this.#slugOf(named) });
      this.articles.set(article.slug, article);
    }
    return Response.json(shown(article));
  }

  /** Whether an article other than the one with this slug has the slug of a title. */
  #isTaken(title: string, own: string): boolean {
    const slug = plainSlug(title);
    return slug !== own && this.articles.has(slug);
  }

  #slugOf(title: string): string {
    const plain = plainSlug(title);
    let slug = plain;
    for (let nth = 2; this.articles.has(slug); nth++) slug = `${plain}-${nth}`;
    return slug;
  }
}

function plainSlug(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function shown({ comments: _comments, ...article }: Stored): object {
  return article;
}

/** The endpoints of one page. */
export function endpointsOf(server: SlugServer) {
  class Asking<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return server.respond(url, init);
    }
  }
  const shared = { Endpoint: Asking, optimistic: true, dataExpiryLength: Infinity } as const;
  const path = <const P extends string>(plain: P): P => (server.hasSlashes ? `${plain}/` : plain) as P; // same parameters
  return {
    articles: createResource({ path: path('/articles/:slug'), schema: SluggedArticle, ...shared }),
    comments: createResource({
      path: path('/articles/:slug/comments/:id'),
      schema: CommentOnArticle,
      ...shared,
    }),
  };
}

export type Endpoints = ReturnType<typeof endpointsOf>;

/** The slugs in the list, as shown. */
export function slugs(controller: Controller, { articles }: Endpoints): readonly string[] {
  return (controller.getResponse(articles.getList).data ?? []).map(({ slug }) => slug);
}
