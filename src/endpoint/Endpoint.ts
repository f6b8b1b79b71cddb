import type { Schema } from '../schema/Schema.ts';
import { checkCopies } from '../util/checkCopies.ts';
import { HoldfastError } from '../util/errors.ts';
import { claimCollections, collectionsAt, listAddersOf, pathOfLists } from './rest/collectionOf.ts';
import type { EndpointInterface } from './EndpointInterface.ts';
import type { EndpointError, EndpointOptions, ErrorPolicy } from './EndpointOptions.ts';
import type { Added, AsyncFunction, Inferred, Mutates } from './endpointTypes.ts';
import type { Snapshot } from './Snapshot.ts';
import { stableJson } from './stableJson.ts';

/** The method that runs when an instance is called. */
interface Fetches {
  fetch(...args: readonly unknown[]): unknown;
}

/**
 * Base of classes whose instances are callable: `new` returns a function that has the class's prototype, so that
 * `instanceof`, subclasses with `super`, fields and private members all work on it. Calling it runs its `fetch`.
 */
class Callable {
  static {
    // Provides call(), apply() and bind(). Extending Function itself would compile code, which a strict CSP forbids.
    Object.setPrototypeOf(this.prototype, Function.prototype);
  }

  constructor() {
    const self = (...args: readonly unknown[]): unknown => (self as unknown as Fetches).fetch(...args); // subclasses have it
    Object.setPrototypeOf(self, new.target.prototype);
    // A function's own name would hide the one that the class defines.
    delete (self as { name?: string }).name;
    return self;
  }
}

/** The members of every endpoint except `extend`, whose type the class defines. */
export interface EndpointMembers<
  Args extends readonly unknown[],
  Returned extends Promise<unknown>,
  S extends Schema,
> {
  (...args: Args): Returned;
  /** Names the endpoint in errors and tools, and starts the default key. */
  readonly name: string;
  readonly schema: S;
  /** Whether calling it changes data on the server. Mutations are never cached or shared. */
  readonly sideEffect?: boolean | undefined;
  /** How long a result stays fresh, in ms. */
  readonly dataExpiryLength?: number | undefined;
  /** How long an error is kept before the request is retried, in ms. */
  readonly errorExpiryLength?: number | undefined;
  /** True: stale data is not shown; a read suspends instead. */
  readonly invalidIfStale?: boolean | undefined;
  /** How often a subscription fetches, in ms. */
  readonly pollFrequency?: number | undefined;
  readonly extra?: unknown;
  readonly appendTo?: EndpointOptions['appendTo'];
  readonly ownList?: EndpointOptions['ownList'];
  /** The function that runs when the endpoint is called. */
  fetch(...args: Args): Returned;
  /** Identifies a result: calls with equal keys share it. */
  key(...args: Args): string;
  /** Whether a key belongs to this endpoint. */
  testKey(key: string): boolean;
  errorPolicy?(error: EndpointError): ErrorPolicy;
  getOptimisticResponse?(snapshot: Snapshot, ...args: Args): unknown;
  update?(value: unknown, ...args: Args): Readonly<Record<string, (old: never) => unknown>>;
  /**
   * An endpoint with its first arguments bound, as for a function. Its keys are those of this endpoint, so both read
   * the same results.
   *
   * @param thisArg - ignored: an endpoint is its own `this`
   * @example
   * const getFirst = ArticleResource.get.bind(undefined, { id: 1 });
   * await controller.fetch(getFirst);
   */
  bind<Bound extends readonly unknown[], Rest extends readonly unknown[]>(
    this: (...args: [...Bound, ...Rest]) => Returned,
    thisArg: unknown,
    ...bound: Bound
  ): EndpointMembers<Rest, Returned, S> & Pick<this, Extract<keyof this, '~mutation'>>;
}

/** An endpoint without the types of its arguments. */
interface Bindable extends EndpointInterface {
  fetch(...args: readonly unknown[]): unknown;
  extend(options: object): Bindable;
  bind(thisArg: unknown, ...bound: readonly unknown[]): Endpoint;
}

/**
 * The type of `this` in the function of an endpoint. It is separate, since older compilers cannot name the endpoint's
 * type in the declarations of an app.
 */
export type EndpointThis = {
  readonly name: string;
  readonly schema?: unknown;
  readonly sideEffect?: boolean | undefined;
  readonly dataExpiryLength?: number | undefined;
  readonly errorExpiryLength?: number | undefined;
  readonly invalidIfStale?: boolean | undefined;
  readonly pollFrequency?: number | undefined;
  readonly extra?: unknown;
  /** What the outbox adds to an attempt: headers with the idempotency key, and the signal of its timeout. */
  readonly requestInit?: RequestInit | undefined;
  testKey(key: string): boolean;
};

/** The function of an endpoint. Declared as a method, so that its `this` may be any class of endpoints. */
export type EndpointFunction = { run(this: EndpointThis, ...args: never): Promise<unknown> }['run'];

/** The options of an endpoint's `extend`: any option, and `fetch` for the function itself. */
export interface EndpointExtension<F extends AsyncFunction> extends EndpointOptions<Parameters<F>> {
  /** Replaces the function. */
  readonly fetch?: AsyncFunction | undefined;
}

/** The type of an endpoint extended with `X`. */
export type ExtendedEndpoint<
  F extends AsyncFunction,
  S extends Schema,
  X,
  M extends boolean | undefined = boolean,
> = Endpoint<
  X extends { readonly fetch: infer G extends AsyncFunction } ? G : F,
  X extends { readonly schema: infer T extends Schema } ? T : S,
  X extends { readonly sideEffect: infer N extends boolean | undefined } ? N : M
>;

/* oxlint-disable typescript/no-unsafe-declaration-merging -- only an interface can declare that an instance is callable */
export interface Endpoint<
  F extends EndpointFunction = EndpointFunction,
  S extends Schema = undefined,
  M extends boolean | undefined = boolean,
> extends EndpointMembers<Parameters<F>, ReturnType<F>, S> {
  /** Only a type, without a value: whether it is a mutation, which hooks do not accept. */
  readonly '~mutation'?: Mutates<M>;
}
/* oxlint-enable typescript/no-unsafe-declaration-merging */

/**
 * An async function with the metadata that a cache needs. Call it like the function itself, or pass it to a
 * controller or hook.
 *
 * @example
 * const getQuota = new Endpoint(() => navigator.storage.estimate(), {
 *   name: 'getQuota',
 *   dataExpiryLength: 1_000,
 * });
 * await getQuota();
 */
export class Endpoint<
  F extends EndpointFunction = EndpointFunction,
  const S extends Schema = undefined,
  const M extends boolean | undefined = boolean,
> extends Callable {
  /**
   * Creates an endpoint of this class, for `extend`. A subclass whose constructor takes other parameters overrides
   * it.
   *
   * @param options - the options, including the function as `fetch`
   */
  static fromOptions(options: EndpointExtension<AsyncFunction>): object {
    const { fetch, ...rest } = options;
    return new this(fetch, rest);
  }

  static {
    // Typed by EndpointMembers. A function's own members include neither key nor schema.
    const bind = function (this: Endpoint, _this: unknown, ...bound: readonly unknown[]): Endpoint {
      return this.#bind(bound);
    };
    Object.defineProperty(this.prototype, 'bind', { value: bind, writable: true, configurable: true });
  }

  readonly #options: { readonly fetch?: AsyncFunction | undefined };
  /** Options passed to `extend`: they override the fields of a subclass. */
  #extension: EndpointOptions = {};

  /**
   * @param fetch - the function; called with `this` = the endpoint. A subclass with a method `fetch` passes
   * undefined.
   * @param options - override the members of the class; undefined ones do not
   */
  constructor(
    fetch: F | undefined,
    options: EndpointOptions<Parameters<F>> & { readonly schema?: S; readonly sideEffect?: M } & ThisType<
        Endpoint<F, S>
      > = {},
  ) {
    super();
    if (process.env.NODE_ENV !== 'production') checkCopies();
    this.#options = { ...options, fetch };
    define(this, this.#options);
    claimCollections(options.schema, this);
    // Reports a list that cannot be appended to at once, rather than when a mutation has completed.
    if (options.appendTo !== undefined) listAddersOf({ name: this.name, appendTo: options.appendTo });
  }

  get name(): string {
    return this.fetch.name;
  }

  /** The name and the arguments as JSON with sorted keys. */
  key(...args: Parameters<F>): string {
    return `${this.#keyName()} ${stableJson(args)}`;
  }

  testKey(key: string): boolean {
    return key.startsWith(`${this.#keyName()} [`);
  }

  /**
   * A new endpoint of the same class with some options overridden. Undefined restores the value of the class.
   *
   * @example
   * const getSummaries = ArticleResource.getList.extend({
   *   schema: [ArticleSummary],
   * });
   */
  extend<const X extends EndpointExtension<F>>(
    options: Inferred<X, EndpointExtension<F>, this>,
  ): ExtendedEndpoint<F, S, X, M> & Added<this, Endpoint> {
    return this.#with(options) as unknown as ExtendedEndpoint<F, S, X, M> & Added<this, Endpoint>; // of this class, with these options
  }

  #bind(bound: readonly unknown[]): Endpoint {
    const self = this as unknown as Bindable; // it is one
    type Rest = readonly unknown[];
    return this.#with({
      bound: { endpoint: self, args: bound },
      fetch: (...rest: Rest) => self.fetch(...bound, ...rest),
      key: (...rest: Rest) => self.key(...bound, ...rest),
      extend: (options: object) => self.extend(options).bind(undefined, ...bound),
    });
  }

  #with(options: object): Endpoint {
    const extension = { ...this.#extension, ...options };
    const Class = this.constructor as typeof Endpoint; // or a subclass
    const next = Class.fromOptions({ ...this.#options, ...extension }) as Endpoint; // of this class
    define(next, extension);
    const lists = this.#listsOf(next, options);
    define(next, lists);
    next.#extension = { ...extension, ...lists };
    return next;
  }

  /** Lists that an endpoint with another path inherits become separate lists. */
  #listsOf(next: Endpoint, given: EndpointOptions): EndpointOptions {
    if (pathOfLists(next) === pathOfLists(this)) return {};
    const { schema } = this;
    return schema === undefined || 'schema' in given ? {} : { schema: collectionsAt(schema, next) };
  }

  #keyName(): string {
    const { name } = this;
    if (name !== '') return name;
    throw new HoldfastError(
      'HF_ENDPOINT_NAME',
      'An endpoint of an anonymous function has no key; give it a `name` or `key`',
    );
  }
}

function define(endpoint: object, options: object): void {
  for (const [option, given] of Object.entries(options) as [string, unknown][]) {
    if (given === undefined) continue;
    // Of a RestEndpoint: `fetch` sends `patch` as it is, and servers only know PATCH.
    const isHttp = option === 'method' && 'pathParams' in endpoint;
    const value = isHttp ? (given as string).toUpperCase() : given; // its options declare a text
    // Assigning would fail for a getter of the class.
    Object.defineProperty(endpoint, option, { value, writable: true, enumerable: true, configurable: true });
  }
}
