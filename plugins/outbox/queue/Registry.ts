import { HoldfastError, type EndpointInterface } from 'holdfast';

/** The list endpoints that are created on access. */
const LIST_CHANGES = new Set(['push', 'unshift', 'assign', 'remove', 'move']);

/** Finds the endpoint of a stored mutation by its name. */
export class Registry {
  readonly #endpoints = new Map<string, EndpointInterface>();
  readonly #parents = new Map<EndpointInterface, readonly EndpointInterface[]>();

  /**
   * @param given - resources and endpoints
   * @throws HoldfastError `HF_OUTBOX_NAME` when two of them have one name, or one has none; `HF_PLUGIN` for anything else
   */
  constructor(given: readonly object[]) {
    for (const item of given) {
      // In an import cycle, it may be undefined.
      const found = isEndpoint(item) ? [item] : Object.values(Object(item) as object).filter(isEndpoint);
      if (found.length === 0)
        throw new HoldfastError(
          'HF_PLUGIN',
          `outbox() received ${nameOf(item)} among its endpoints, which is neither a resource nor an endpoint; pass a resource, such as ArticleResource, or one of its members`,
        );
      found.forEach((endpoint) => this.#add(endpoint));
    }
  }

  /** The mutation of this name; undefined where none was given. */
  find(name: string): EndpointInterface | undefined {
    const found = this.#endpoints.get(name) ?? this.#listChange(name);
    return found?.sideEffect === true ? found : undefined;
  }

  /** The endpoints whose path is a prefix of this endpoint's path. */
  parentsOf(endpoint: EndpointInterface): readonly EndpointInterface[] {
    const found = this.#parents.get(endpoint);
    if (found !== undefined) return found;
    const { path, urlPrefix } = pathOf(endpoint);
    const parents = [...this.#endpoints.values()].filter((other) => {
      const parent = pathOf(other);
      // `/articles/:slug/` and `/articles/:slug.json` are above `/articles/:slug/comments`, too.
      const above = parent.path?.replace(/(?:\/|\.\w+)$/, '');
      const isParent = above !== undefined && path?.startsWith(`${above}/`) === true && path !== parent.path;
      return (
        isParent &&
        parent.urlPrefix === urlPrefix &&
        other.itemParam !== undefined &&
        other.sideEffect !== true
      );
    });
    this.#parents.set(endpoint, parents);
    return parents;
  }

  #add(endpoint: EndpointInterface): void {
    const { name } = endpoint;
    const known = this.#endpoints.get(name);
    if (known === endpoint) return;
    if (name === '' || known !== undefined)
      throw new HoldfastError(
        'HF_OUTBOX_NAME',
        `Two endpoints of outbox() are named ${JSON.stringify(name)}, so a stored mutation would be ambiguous; set the option name`,
      );
    if (process.env.NODE_ENV !== 'production' && isNamedAfterFunction(endpoint))
      console.warn(
        new HoldfastError(
          'HF_OUTBOX_NAME',
          `A minifier may rename the mutation ${JSON.stringify(name)} of outbox(), which has only the name of its function, so the next build of the app may send a stored mutation by another endpoint; set the option name`,
        ).message,
      );
    this.#endpoints.set(name, endpoint);
  }

  #listChange(name: string): EndpointInterface | undefined {
    const dot = name.lastIndexOf('.');
    const change = name.slice(dot + 1);
    const list = LIST_CHANGES.has(change) ? this.#endpoints.get(name.slice(0, dot)) : undefined;
    const made = (list as Readonly<Record<string, unknown>> | undefined)?.[change]; // read by name
    return isEndpoint(made) ? made : undefined;
  }
}

/** Whether a mutation has no name of its own. */
function isNamedAfterFunction(endpoint: EndpointInterface): boolean {
  const { fetch } = endpoint as { readonly fetch?: { readonly name?: unknown } }; // of an `Endpoint`
  return endpoint.sideEffect === true && !Object.hasOwn(endpoint, 'name') && endpoint.name === fetch?.name;
}

function isEndpoint(value: unknown): value is EndpointInterface {
  return typeof value === 'function' && 'testKey' in value;
}

function nameOf(value: unknown): string {
  return typeof value === 'function' ? value.name : String(value);
}

/** The path options of a `RestEndpoint`. */
function pathOf(endpoint: EndpointInterface): { readonly path?: string; readonly urlPrefix?: string } {
  return endpoint as { readonly path?: string; readonly urlPrefix?: string }; // read by name
}
