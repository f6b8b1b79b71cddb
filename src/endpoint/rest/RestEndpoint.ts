import type { RemoveCursor } from '../../schema/collection/CollectionPage.ts';
import type { Schema } from '../../schema/Schema.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { isThenable } from '../../util/isThenable.ts';
import type { ChangeName, ChangeOf, CollectionOf, PageOf } from './collectionOf.ts';
import { deletedValue } from './deletedValue.ts';
import { changeOptions, pageOptions } from './derivedOptions.ts';
import { Endpoint, type EndpointMembers } from '../Endpoint.ts';
import type { Added, AsyncFunction, Exemplified, Inferred, Override } from '../endpointTypes.ts';
import { joinUrl } from '../url/joinUrl.ts';
import { readResponse, type Content, type ResponseContext } from '../http/readResponse.ts';
import { markExecution } from '../http/execution.ts';
import { fillPath, lastParam, parsePath, type PathPattern, keyPattern } from '../url/path.ts';
import { hasHeader, hasHttpCache, headersObject, encodeBody, type HeadersInit } from '../http/requestInit.ts';
import type { AnyText, RestEndpointOptions } from './RestEndpointOptions.ts';
import type {
  ArgsOptions,
  ChangeBody,
  IsMutation,
  Kept,
  RestArgs,
  RestExtension,
  RestParams,
  RestValue,
  SchemaOf,
  TakesBody,
  WithArgs,
} from './restTypes.ts';
import { searchParamsToString } from '../url/searchParams.ts';
import { refusal, sendRequest } from '../http/sendRequest.ts';
import { type StandardSchema, checkResponse } from '../../util/standardSchema.ts';
import { stableJson } from '../stableJson.ts';

/** Methods that change no data on the server. */
const SAFE = new Set(['GET', 'HEAD']);

/** Methods that change the entity that their path identifies. */
const RENAMING = new Set(['PUT', 'PATCH']);

/** Methods whose requests have a body only if the option `body` is set. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/** The type of a RestEndpoint extended with `X`. */
export type ExtendedRestEndpoint<O extends RestEndpointOptions, X> =
  Override<O, X> extends infer Extended extends RestEndpointOptions
    ? RestEndpoint<Extended>
    : RestEndpoint<O>;

/** An endpoint that changes the collection in another endpoint's schema; unknown if that has none. */
type Changing<O extends RestEndpointOptions, Name extends ChangeName, Method, More = unknown> = [
  CollectionOf<SchemaOf<O>>,
] extends [never]
  ? unknown
  : ExtendedRestEndpoint<
      O,
      {
        readonly method: Method;
        readonly schema: ChangeOf<SchemaOf<O>, Name>;
        readonly body: ChangeBody<O, Name>;
        readonly response: undefined;
      } & More
    >;

/** `move` sends to the path of one member, if it is known. Parameters that select a list are optional there. */
type MoveOptions<O extends RestEndpointOptions> = {
  readonly path: O extends { readonly movePath: infer P extends string } ? P : O['path'];
} & (O extends { readonly searchParams: infer Q }
  ? { readonly searchParams: Partial<Exemplified<Q>> }
  : unknown);

/** An endpoint that reads a further page; unknown if the schema has no collection. */
type Paging<O extends RestEndpointOptions, Cursor> = [CollectionOf<SchemaOf<O>>] extends [never]
  ? unknown
  : ExtendedRestEndpoint<
      O,
      { readonly schema: PageOf<SchemaOf<O>> } & (IsInBody<O, keyof Cursor> extends true
        ? { readonly body: (O extends { readonly body: infer B } ? B : unknown) & Cursor }
        : { readonly searchParams: (O extends { readonly searchParams: infer Q } ? Q : unknown) & Cursor })
    >;

/** Whether the cursor is sent in the body, as in a search by POST, unless it is a declared query parameter. */
type IsInBody<O extends RestEndpointOptions, Name> =
  TakesBody<O> extends true ? (Name extends keyof RestParams<O> ? false : true) : false;

/** An endpoint that reads the page of `paginationField`; unknown without that. */
type FieldPaging<O extends RestEndpointOptions> = O extends {
  readonly paginationField: infer F extends string;
}
  ? Paging<O, Readonly<Record<F, string | number>>>
  : unknown;

/** Endpoint without `extend`, which takes functions there and options here: the two types need not agree. */
interface EndpointBase {
  new <Args extends readonly unknown[], Returned extends Promise<unknown>, S extends Schema>(
    fetch: AsyncFunction | undefined,
    options: object,
  ): EndpointMembers<Args, Returned, S>;
  fromOptions(options: object): unknown;
}

const Base: EndpointBase = Endpoint as unknown as EndpointBase; // its instances have these members

// Plain options are declared here rather than in the class, so that a subclass may define them as fields or getters.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- see above
export interface RestEndpoint<O extends RestEndpointOptions = RestEndpointOptions> {
  readonly path: O['path'];
  readonly urlPrefix?: string | undefined;
  readonly requestInit?: RequestInit | undefined;
  readonly response?: StandardSchema | undefined;
  readonly content?: Content | undefined;
  readonly paginationField?: string | undefined;
  readonly movePath?: string | undefined;
  /** Only a type, without a value: whether it is a mutation, which hooks do not accept. */
  readonly '~mutation'?: IsMutation<O>;
  /** Only a type, without a value: the options, which no conditional type finds in a subclass. */
  readonly '~options'?: O;
  /**
   * A new endpoint of the same class with some options overridden.
   *
   * @example
   * const getSummaries = ArticleResource.getList.extend({
   *   schema: [ArticleSummary],
   * });
   */
  extend<
    const X extends RestExtension<WithArgs<O, Path, Method, Search, Body>>,
    const Path extends AnyText | Kept = Kept,
    const Method extends string | Kept | undefined = Kept,
    Search = Kept,
    Body = Kept,
  >(
    options: ArgsOptions<Path, Method, Search, Body> &
      Inferred<X, RestExtension<WithArgs<O, Path, Method, Search, Body>>, this>,
  ): ExtendedRestEndpoint<O, X> & Added<this, RestEndpoint>;
}

/**
 * An endpoint over HTTP, declared by a path pattern and a schema. Every step of a request can be overridden by an
 * option, by `extend`, or in a subclass with `super`: `url` (with `searchToString`), `getRequestInit` (with
 * `getHeaders`), `fetchResponse`, `parseResponse`, `process`.
 *
 * Parameters that the path does not name go into the query string.
 *
 * @example
 * const getArticle = new RestEndpoint({
 *   urlPrefix: 'https://api.example.com',
 *   path: '/articles/:id',
 *   schema: Article,
 * });
 * await getArticle({ id: 5 });
 */
export class RestEndpoint<const O extends RestEndpointOptions = RestEndpointOptions> extends Base<
  RestArgs<O>,
  Promise<RestValue<O>>,
  SchemaOf<O>
> {
  /**
   * Creates an endpoint of this class, for `extend`. A subclass whose constructor takes other parameters overrides
   * it.
   */
  static override fromOptions(options: RestEndpointOptions): RestEndpoint {
    return new this(options);
  }

  /** Whether the options declare a body; undefined if they do not, and the method decides. */
  readonly #body: boolean | undefined;
  #matcher: { readonly of: string; readonly keys: RegExp } | undefined;
  #parsed: { readonly path: string; readonly pattern: PathPattern } | undefined;

  /** @throws HoldfastError `HF_PATH_PATTERN` if the path cannot be parsed */
  constructor(options: Inferred<O, RestEndpointOptions, RestEndpoint>) {
    const { fetch: own, ...rest }: RestEndpointOptions = options;
    super(own, rest);
    this.#body = 'body' in rest ? rest.body !== undefined : undefined;
    this.#pattern();
  }

  override get name(): string {
    return `${this.method} ${this.urlPrefix ?? ''}${this.path}`;
  }

  get method(): string {
    // The base constructor reads the name, and so the method, before this class has its private fields.
    const isPost = Object.hasOwn(this, 'body') || (Object.hasOwn(this, 'sideEffect') && this.sideEffect);
    return isPost ? 'POST' : 'GET';
  }

  /**
   * Whether calling it changes data on the server: true for every method but GET and HEAD, unless the option is set.
   */
  override get sideEffect(): boolean {
    return !SAFE.has(this.method);
  }

  /**
   * Whether a response with another pk than in the path renames the entity: true for PUT and PATCH to a path with a
   * parameter in its last segment, unless the option is set.
   */
  get renames(): boolean {
    return RENAMING.has(this.method) && lastParam(this.#pattern()) !== undefined;
  }

  /** Aborts its requests. Default: the signal in `requestInit`. */
  get signal(): AbortSignal | undefined {
    return this.requestInit?.signal ?? undefined;
  }

  /** The parameters in the path. */
  get pathParams(): ReadonlySet<string> {
    return this.#pattern().names;
  }

  /** The field that identifies an item in its path: the last parameter of `movePath`, or else of the path. */
  get itemParam(): string | undefined {
    return lastParam(this.movePath === undefined ? this.#pattern() : parsePath(this.movePath));
  }

  /** Method and URL; for a read with a body, the body too. */
  override key(...args: RestArgs<O>): string {
    const { params, body } = this.#split(args);
    const key = `${this.method} ${this.url(params as RestParams<O>)}`; // the caller's arguments
    return body === undefined || this.sideEffect ? key : `${key} ${stableJson(body)}`;
  }

  override testKey(key: string): boolean {
    const { method, urlPrefix = '', path } = this;
    const of = `${method} ${urlPrefix} ${path}`;
    // Cached, since `testKey` is called for all keys of a store.
    if (this.#matcher?.of !== of)
      this.#matcher = { of, keys: keyPattern(method, urlPrefix, this.#pattern()) };
    return this.#matcher.keys.test(key);
  }

  /**
   * Runs a whole request.
   *
   * @throws NetworkError if `fetchResponse` returns a response that is not ok, unless `parseResponse` is overridden,
   * too
   * @throws HoldfastError `HF_SHAPE` if the parsed response is not valid by the schema in the option `response`
   */
  override async fetch(...args: RestArgs<O>): Promise<RestValue<O>> {
    const { params, body } = this.#split(args);
    const url = this.url(params as RestParams<O>); // the caller's arguments
    const init = await this.getRequestInit(body);
    const answer = await this.fetchResponse(url, init);
    const { ok = true } = answer as Partial<Response>; // tests return parts of one
    // An override may send the request by another client, which returns error responses, too. One of parseResponse
    // decides by itself what they mean.
    if (!ok && this.parseResponse === RestEndpoint.prototype.parseResponse)
      throw await refusal(answer, url, init, this.#responseContext);
    const { response: schema } = this;
    const parsed = await this.parseResponse(answer);
    const value = schema === undefined ? parsed : await checkResponse(schema, parsed, this.name);
    const processed = await this.process(value, ...args);
    markExecution(this, url, answer, processed);
    return processed as RestValue<O>; // the options declare the type of the response
  }

  /**
   * The URL for given parameters.
   *
   * @throws HoldfastError `HF_PATH_PARAMETER` if a required one is missing, or a value cannot be part of a URL
   */
  url(params?: RestParams<O>): string {
    const given = this.#parameters(params);
    const pattern = this.#pattern();
    const url = joinUrl(this.urlPrefix ?? '', fillPath(pattern, given, this.name), this.name);
    const others = Object.entries(given).filter(
      ([name, value]) => !pattern.names.has(name) && value !== undefined,
    );
    // fromEntries defines members, so that `__proto__` is a name like any other.
    const search = others.length === 0 ? '' : this.searchToString(Object.fromEntries(others));
    if (search === '') return url;
    return `${url}${url.includes('?') ? '&' : '?'}${search}`;
  }

  /** Builds the query string, without its question mark. Default: `searchParamsToString`. */
  searchToString(searchParams: Readonly<Record<string, unknown>>): string {
    return searchParamsToString(searchParams, this.name);
  }

  /** The headers of a request, given those of `requestInit`. `Content-Type` is added afterwards, if there is none. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /**
   * The options for `fetch`. Objects, lists, numbers and booleans become JSON; other bodies are sent unchanged.
   *
   * A promise only if `getHeaders` returns one, so that an override may be synchronous, too.
   */
  getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    const { requestInit, signal, method } = this;
    const { init, isJson } = encodeBody(body);
    const withHeaders = (own: HeadersInit): RequestInit => {
      const headers = headersObject(own);
      if (isJson && !hasHeader(headers, 'Content-Type')) headers['Content-Type'] = 'application/json';
      return { ...requestInit, method, headers, ...(signal && { signal }), ...init };
    };
    const headers = this.getHeaders(headersObject(requestInit?.headers));
    return isThenable(headers) ? headers.then(withHeaders) : withHeaders(headers);
  }

  /**
   * Sends the request. In browsers, a read without `cache` in its `init` is sent as `no-cache`: a response in the
   * browser's HTTP cache may be older than data that is already stored, so the server is asked whether it is current.
   *
   * @throws HoldfastError `HF_HEADER` if a header has a value that no request can contain
   * @throws NetworkError if the response is not ok, or (status 0) if there is none. An aborted request rejects with
   * the reason of its signal
   */
  fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const isCached = !this.sideEffect && hasHttpCache();
    return sendRequest(url, isCached ? { cache: 'no-cache', ...init } : init, this.#responseContext);
  }

  /**
   * Reads the response's body: as set by `content`, or else by its content type as JSON, text or a Blob; null if it
   * is empty. Of a mutation with a schema, a response without a record, such as `OK`, is null, too; if it has only the
   * pk of what was created, as a plain value or in its `Location`, it is an object with that pk.
   *
   * @throws HoldfastError `HF_RESPONSE_PARSE` if it is not JSON although the content type or the schema requires it,
   * `HF_SHAPE` if a read with a schema gets no data or no JSON; an overridden `process` gets such a body instead.
   * NetworkError with status 0 for a web page in place of the API's response (code `HF_SHAPE` for a read with a schema)
   */
  parseResponse(response: Response): Promise<unknown> {
    return readResponse(response, this.#responseContext);
  }

  /**
   * Transforms the parsed response before it is stored. By default it is unchanged, except that for a `Delete` schema
   * the parameters stand in for a response that does not identify the entity.
   */
  process(value: unknown, ...args: RestArgs<O>): unknown {
    return deletedValue(this.schema, value, args);
  }

  /**
   * Creates one or more members (POST) and appends them to the stored lists that the parameters or the body select.
   * Its schema must contain a `Collection`, as for the following ones.
   *
   * @example
   * await controller.fetch(ArticleResource.getList.push, { title: 'New' });
   * @throws HoldfastError `HF_NO_COLLECTION`
   */
  get push(): Changing<O, 'push', 'POST'> {
    return this.#changing('push', 'POST') as Changing<O, 'push', 'POST'>; // as for the following: created with these options
  }

  /** Creates one or more members (POST) and prepends them. */
  get unshift(): Changing<O, 'unshift', 'POST'> {
    return this.#changing('unshift', 'POST') as Changing<O, 'unshift', 'POST'>;
  }

  /** Adds members to a map (POST). */
  get assign(): Changing<O, 'assign', 'POST'> {
    return this.#changing('assign', 'POST') as Changing<O, 'assign', 'POST'>;
  }

  /** Changes a member (PATCH) and removes it from the stored lists that the parameters or the body select. */
  get remove(): Changing<O, 'remove', 'PATCH'> {
    return this.#changing('remove', 'PATCH') as Changing<O, 'remove', 'PATCH'>;
  }

  /**
   * Changes a member (PATCH to `movePath`) and moves it from the lists that it belonged to, to those that it belongs
   * to now.
   */
  get move(): Changing<O, 'move', 'PATCH', MoveOptions<O>> {
    return this.#changing('move', 'PATCH', { path: this.movePath ?? this.path }) as Changing<
      O,
      'move',
      'PATCH',
      MoveOptions<O>
    >;
  }

  /**
   * Reads a further page, selected by `paginationField`, and appends it to the list of the other parameters. If the
   * request has a body, the field is part of it.
   */
  get getPage(): FieldPaging<O> {
    return this.#page(this.paginationField ?? '') as FieldPaging<O>;
  }

  /**
   * Reads a further page and appends it to the list of the other parameters; `fetch` resolves with the whole list.
   *
   * @param cursor - the parameter for the page, or a function that removes it from the arguments of the page, which
   * it thereby types
   * @throws HoldfastError `HF_NO_COLLECTION`
   */
  paginated<const Field extends string>(cursor: Field): Paging<O, Readonly<Record<Field, string | number>>>;
  paginated<Params>(cursor: (params: Params) => readonly unknown[]): Paging<O, Params>;
  paginated(cursor: string | ((params: never) => readonly unknown[])): unknown {
    return this.#page(cursor as string | RemoveCursor); // called with such args
  }

  #changing(change: ChangeName, method: string, more: object = {}): unknown {
    return this.#self.extend({ ...changeOptions(this.#self, change, method), ...more });
  }

  #page(cursor: string | RemoveCursor): unknown {
    return this.#self.extend(pageOptions(this.#self, cursor));
  }

  get #responseContext(): ResponseContext {
    const { name: source, method, content, schema, sideEffect, signal, itemParam = 'id' } = this;
    const isProcessed = this.process !== RestEndpoint.prototype.process;
    return {
      source,
      method,
      content,
      schema,
      sideEffect,
      isProcessed,
      pkField: method === 'POST' && !this.pathParams.has(itemParam) ? itemParam : undefined,
      signal,
    };
  }

  /** This endpoint, without the types of its args and options, which differ for each endpoint. */
  get #self(): Endpoint {
    return this as unknown as Endpoint; // it is one
  }

  /** Splits the arguments into parameters and body. A single argument may be the body. */
  #split(args: readonly unknown[]): { readonly params: unknown; readonly body: unknown } {
    const takesBody = this.#body ?? !BODILESS.has(this.method);
    if (!takesBody) return { params: args[0], body: undefined };
    const { names, isRequiring } = this.#pattern();
    // An undeclared body may be omitted, and parameters must not be mistaken for it.
    const isBodyAlone = this.#body === true ? !isRequiring : names.size === 0;
    if (args.length < 2 && isBodyAlone) return { params: undefined, body: args[0] };
    return { params: args[0], body: args[1] };
  }

  #parameters(params: unknown): object {
    if (params === undefined || params === null) return {};
    if (typeof params === 'object') return params;
    throw new HoldfastError(
      'HF_PATH_PARAMETER',
      `The first argument of ${this.name} is ${describe(params)}; pass an object of parameters`,
    );
  }

  /** The parsed path. Parsed again if a subclass or extension has changed it. */
  #pattern(): PathPattern {
    const { path } = this;
    if (this.#parsed?.path !== path) this.#parsed = { path, pattern: parsePath(path) };
    return this.#parsed.pattern;
  }
}
