import { Collection } from '../../schema/collection/Collection.ts';
import { Delete } from '../../schema/Delete.ts';
import { nameOf } from '../../schema/entitiesOf.ts';
import type { EntityOrUnion } from '../../schema/Union.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { checkItemParam } from './checkItemParam.ts';
import { pathOfLists, collectionOf, readsBody } from './collectionOf.ts';
import { deletedValue } from './deletedValue.ts';
import type { Inferred } from '../endpointTypes.ts';
import { optimisticResponses } from './optimisticResponses.ts';
import { RestEndpoint } from './RestEndpoint.ts';
import type { RestEndpointOptions } from './RestEndpointOptions.ts';
import type { ResourceOf, ResourceOptions } from './resourceTypes.ts';
import { shortenPath } from '../url/shortenPath.ts';

/**
 * Creates the six endpoints of a REST resource: `get`, `getList`, `create`, `update`, `partialUpdate` and `delete`.
 *
 * @example
 * const ArticleResource = createResource({
 *   urlPrefix: 'https://api.example.com',
 *   path: '/articles/:id',
 *   schema: Article,
 * });
 * await ArticleResource.get({ id: 5 });
 * await ArticleResource.getList({ author: 'ann' }); // GET /articles?author=ann
 * await ArticleResource.create({ title: 'New' });
 * @throws HoldfastError `HF_PATH_PATTERN` if the path cannot be parsed, `HF_ENDPOINT_NAME` without an entity that has
 * a key
 */
export function createResource<const O extends ResourceOptions>(
  options: Inferred<O, ResourceOptions, RestEndpoint>,
): ResourceOf<O> {
  const {
    path,
    schema,
    name: resourceName = nameOf(schema),
    Endpoint = RestEndpoint,
    searchParams: _types,
    body,
    Collection: ListCollection = Collection,
    nonFilterArgumentKeys,
    optimistic,
    appendTo,
    ...shared
  }: ResourceOptions = options;
  const { process: shape = (Endpoint.prototype as { readonly process: Process }).process } = shared; // of a RestEndpoint
  const listPath = shortenPath(path);
  if (resourceName === '')
    throw new HoldfastError(
      'HF_ENDPOINT_NAME',
      `The resource ${path} has ${describe(schema)} as its schema, whose key is part of its endpoints' names; pass an entity with a \`key\`, or a Union`,
    );
  const list = new ListCollection([schema], { nonFilterArgumentKeys });
  // A subclass may have another prefix until it is extended with that of the options.
  list.belongTo({
    get path() {
      return pathOfLists(getList);
    },
    get readsBody() {
      return readsBody(getList);
    },
  });
  const make = (name: string, own: RestEndpointOptions): RestEndpoint => {
    const all: RestEndpointOptions = { ...shared, ...own, name: `${resourceName}.${name}` };
    // With `extend`, these options override the fields of a subclass; with the constructor, they would not.
    return new Endpoint(all).extend(all);
  };
  const expected = optimisticResponses(schema, optimistic);
  // Its value is only used as a type, except that explicit undefined means that there is no body.
  const withBody = { body: 'body' in options ? body : {} };
  const get = make('get', { path, schema });
  if (process.env.NODE_ENV !== 'production') checkItemParam(schema, get);
  const getList = make('getList', { path: listPath, schema: list, movePath: path, ...expected.list });
  return extendable(resourceName, {
    get,
    getList,
    create: make('create', {
      path: listPath,
      schema,
      method: 'POST',
      ownList: list,
      appendTo,
      movePath: path,
      ...withBody,
      ...expected.create,
    }),
    update: make('update', { path, schema, method: 'PUT', ...withBody, ...expected.change }),
    partialUpdate: make('partialUpdate', { path, schema, method: 'PATCH', ...withBody, ...expected.change }),
    delete: make('delete', { path, method: 'DELETE', ...deletion(shape, schema), ...expected.delete }),
  }) as unknown as ResourceOf<O>; // created from O, as ResourceEndpoints declares
}

type Process = (...args: readonly unknown[]) => unknown;

/**
 * Deletes the entity in the response that a `process` (the shared one or that of the class) returns, or else that of
 * the parameters. An empty response has nothing to process: it is written for the responses of the other endpoints. The
 * rule stays if `extend` replaces the schema, as by the `remove` of a list.
 */
function deletion(shape: Process, entity: EntityOrUnion): Partial<RestEndpointOptions> {
  const schema = new Delete(entity);
  return {
    schema,
    async process(...args) {
      const [response, ...params] = args;
      const value: unknown = response === null ? null : await shape.apply(this, args);
      return deletedValue(schema, value, params);
    },
  };
}

/** The endpoints of a resource. */
type Members = Readonly<Record<string, RestEndpoint>> & { readonly get: RestEndpoint };

/**
 * Adds `extend` to a resource.
 *
 * @param resource - its name, the prefix of its endpoints' names
 */
function extendable(resource: string, members: Members): object {
  const override = (name: string, options: object): [string, RestEndpoint] => {
    const existing = Object.hasOwn(members, name) ? members[name] : undefined;
    if (existing !== undefined) return [name, existing.extend(options)];
    return [name, members.get.extend({ name: `${resource}.${name}`, ...options })];
  };
  // An endpoint derived from another one has that one's name: a queue of mutations could not distinguish the two.
  const named = (
    [name, endpoint]: [string, RestEndpoint],
    nth: number,
    added: readonly [string, RestEndpoint][],
  ): [string, RestEndpoint] => {
    const isTaken = [...Object.entries(members), ...added.slice(0, nth)].some(
      ([other, member]) => other !== name && member.name === endpoint.name,
    );
    return [name, isTaken ? endpoint.extend({ name: `${resource}.${name}` }) : endpoint];
  };
  const extend = (
    given:
      | string
      | Readonly<Record<string, object>>
      | ((base: object) => Readonly<Record<string, RestEndpoint>>),
    options: object = {},
  ): object => {
    const added =
      typeof given === 'string'
        ? [override(given, options)]
        : typeof given === 'function'
          ? Object.entries(given(self)).map(named)
          : Object.entries(given).map(([name, own]) => override(name, own));
    return extendable(resource, following(members, { ...members, ...Object.fromEntries(added) }));
  };
  const self: object = { ...members, extend };
  return self;
}

/** Makes `create`, and what is derived from it, append to the current list of its resource, if that has changed. */
function following(before: Members, members: Members): Members {
  const [former, list] = [before, members].map((all) => collectionOf(all['getList']?.schema));
  let followed = members;
  if (former !== undefined && list !== undefined && list !== former)
    for (const [name, endpoint] of Object.entries(members))
      if (endpoint.ownList === former) followed = { ...followed, [name]: endpoint.extend({ ownList: list }) };
  return followed;
}
