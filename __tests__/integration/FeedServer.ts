/** How the server cuts its lists into pages. */
export type PageStyle = 'cursor' | 'offset' | 'page';

export type Status = 'open' | 'closed';

export interface FeedItem {
  /** A number where the server says so. */
  readonly id: string | number;
  /** The same before and after the server has assigned the pk. */
  readonly tag: string;
  readonly title: string;
  readonly status: Status;
  /** The place in the feed. */
  readonly rank: number;
}

/** What the server may do with a request for a page, besides answering it. */
export type Quirk =
  | 'none'
  | 'expired'
  | 'badCursor'
  | 'emptyPage'
  | 'repeats'
  | 'overlaps'
  | 'numbers'
  | 'withoutNext';

/** What it may do with a mutation. */
export type Refusal = 'none' | 'invalid' | 'conflict' | 'failedPrecondition';

const STATUS_OF = { invalid: 422, conflict: 409, failedPrecondition: 412 } as const;

/** A feed that several people change, served in pages. */
export class FeedServer {
  readonly #style: PageStyle;
  readonly #respondsWithData: boolean;
  readonly #items = new Map<string, FeedItem>();
  readonly #answers = new Map<string, Response>();
  #count = 0;

  constructor(style: PageStyle, respondsWithData: boolean) {
    this.#style = style;
    this.#respondsWithData = respondsWithData;
    for (let index = 0; index < 8; index++) this.insert(index * 10, index % 3 === 1 ? 'closed' : 'open');
  }

  /** The whole list for these params. */
  list(params: URLSearchParams): readonly FeedItem[] {
    const status = params.get('status');
    const isReverse = params.get('sort') === '-rank';
    return [...this.#items.values()]
      .filter((item) => status === null || item.status === status)
      .sort((left, right) => (isReverse ? right.rank - left.rank : left.rank - right.rank));
  }

  get items(): readonly FeedItem[] {
    return [...this.#items.values()];
  }

  // What other people do.

  insert(rank: number, status: Status): void {
    const id = String((this.#count += 1));
    this.#items.set(id, { id, tag: `s${id}`, title: `s${id}`, status, rank: this.#free(rank) });
  }

  remove(nth: number): void {
    const item = this.items[nth % this.#items.size];
    if (item !== undefined) this.#items.delete(String(item.id));
  }

  change(nth: number, fields: Partial<FeedItem>): void {
    const item = this.items[nth % this.#items.size];
    if (item === undefined) return;
    const { rank } = fields;
    this.#items.set(String(item.id), {
      ...item,
      ...fields,
      ...(rank !== undefined && { rank: this.#free(rank) }),
    });
  }

  // What the app asks for.

  read(url: URL, quirk: Quirk): Response {
    const { searchParams: params } = url;
    const all = this.list(params);
    const limit = Number(params.get('limit'));
    const at = params.get(this.#style);
    if (at !== null && quirk === 'expired') return new Response(null, { status: 410 });
    if (at !== null && quirk === 'badCursor') return Response.json({ error: 'cursor' }, { status: 400 });
    let start = this.#start(all, params, at, limit);
    // A server whose page begins with the end of the one before, or that returns the last page once more.
    if (quirk === 'overlaps' && at !== null) start = Math.max(0, start - 1);
    if (quirk === 'repeats' && at !== null && start >= all.length) start = Math.max(0, all.length - limit);
    const isEmpty = quirk === 'emptyPage' && at !== null && this.#style === 'cursor' && start < all.length;
    const items = isEmpty ? [] : all.slice(start, start + limit);
    const end = start + items.length;
    const rows = items.map((item) => (quirk === 'numbers' ? { ...item, id: Number(item.id) } : item));
    const hasNext = end < all.length;
    if (this.#style === 'offset') return Response.json({ items: rows, total: all.length });
    if (this.#style === 'page') {
      const next = new URL(url);
      next.searchParams.set('page', String(Number(at ?? 1) + 1));
      return Response.json({ items: rows, next: hasNext ? next.href : null });
    }
    if (!hasNext && quirk === 'withoutNext') return Response.json({ items: rows });
    return Response.json({ items: rows, next: isEmpty ? at : hasNext ? `c${items.at(-1)!.rank}` : null });
  }

  #start(all: readonly FeedItem[], params: URLSearchParams, at: string | null, limit: number): number {
    if (at === null) return 0;
    if (this.#style === 'offset') return Number(at);
    if (this.#style === 'page') return (Number(at) - 1) * limit;
    const rank = Number(at.slice(1));
    const isReverse = params.get('sort') === '-rank';
    const index = all.findIndex((item) => (isReverse ? item.rank < rank : item.rank > rank));
    return index === -1 ? all.length : index;
  }

  write(
    method: string,
    id: string | undefined,
    body: FeedItem,
    key: string | null,
    refusal: Refusal,
  ): Response {
    const known = key === null ? undefined : this.#answers.get(key);
    const response = known ?? this.#write(method, id, body, refusal);
    if (key !== null && response.ok) this.#answers.set(key, response);
    return response.clone();
  }

  #write(method: string, id: string | undefined, body: FeedItem, refusal: Refusal): Response {
    if (refusal !== 'none') return Response.json({ error: refusal }, { status: STATUS_OF[refusal] });
    if (id === undefined) {
      const key = String((this.#count += 1));
      const item = { ...body, id: key, rank: this.#free(1_000) };
      this.#items.set(key, item);
      return Response.json(item, { status: 201 });
    }
    const item = this.#items.get(id);
    if (item === undefined) return Response.json({ error: 'not found' }, { status: 404 });
    const changed = { ...item, ...body, id };
    if (method === 'DELETE') this.#items.delete(id);
    else this.#items.set(id, changed);
    return this.#respondsWithData ? Response.json(changed) : new Response(null, { status: 204 });
  }

  /** A rank that no other item has: the order is unambiguous. */
  #free(rank: number): number {
    let free = rank;
    while (this.items.some((item) => item.rank === free)) free += 1;
    return free;
  }
}
