import { hasMember } from '../../endpoint/rest/collectionOf.ts';
import { isEntity, isSchemaObject } from '../../schema/isEntity.ts';
import { isFields } from '../../schema/checkReturned.ts';
import type { EntityValue, Meta } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { normalize, normalizeRow } from '../../schema/normalize.ts';
import { givenFields, originOf } from '../../schema/entity/Origin.ts';
import { queryKey } from '../../schema/query/queryKey.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import type { Action } from '../../store/Commit.ts';
import { currentPk, rowOf, type RowOf } from '../../store/State.ts';
import { produceValue, type Writer } from '../../store/transaction.ts';
import { writeNormalized } from '../../store/writeEntity.ts';
import { adopt } from '../../util/adopt.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { isThenable } from '../../util/isThenable.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import { checkNull } from '../requests/ResponseWriter.ts';
import { readQueryable } from '../reads/readResult.ts';
import { localMeta, actionOf, writeErrorResult, writeResponse } from '../requests/writeResponse.ts';
import type { Read } from '../plugins/Plugin.ts';
import { normalizeResponse } from '../requests/normalizeResponse.ts';
import { argsOfPk } from './currentArgs.ts';

/** Computes the new members of a collection from the current ones. */
type Update = (present: unknown) => unknown;

/** Merges fields into entities, runs a recipe on a row, or changes the members of collections. */
export function set(
  internals: ControllerInternals,
  queryable: Schema,
  args: readonly unknown[],
  value: unknown,
): void {
  if (isEntity(queryable)) setEntity(internals, queryable, args, value);
  else if (isSelfIdentifying(queryable)) setMany(internals, queryable, args, value);
  else setCollection(internals, queryable, args, value);
}

function isSelfIdentifying(schema: Schema): boolean {
  return Array.isArray(schema) || (isSchemaObject(schema) && schema.isSelfIdentifying === true);
}

function setMany(
  internals: ControllerInternals,
  schema: Schema,
  args: readonly unknown[],
  value: unknown,
): void {
  // For a change of a `Collection`, the value counts like the body of a mutation: its fields decide which lists it
  // belongs in.
  const allArgs = hasMember(schema, 'additions') ? [...args, value] : args;
  const normalized = normalize(schema, value, allArgs, 'controller.set()');
  write(internals, normalized, { type: 'set', args });
}

function setCollection(
  internals: ControllerInternals,
  schema: Schema,
  args: readonly unknown[],
  value: unknown,
): void {
  const wanted = queryKey(schema, args);
  const members: unknown =
    typeof value === 'function' ? (value as Update)(readQueryable(internals.views, schema, args)) : value; // typed by set()
  const normalized = normalize(schema, members, args, 'controller.set()');
  if (typeof wanted !== 'string' || normalized.result !== wanted)
    throw new HoldfastError(
      'HF_NOT_QUERYABLE',
      'controller.set() takes an entity class or a Collection with args that identify it, a list, map or union of entities, or a Delete; for an endpoint, use setResponse()',
    );
  write(internals, normalized, { type: 'set', args });
}

function setEntity(
  internals: ControllerInternals,
  entity: EntityClass,
  givenArgs: readonly unknown[],
  given: unknown,
): void {
  const { aliases } = internals;
  // An open form may still hold the temporary pk, from before the server assigned its own.
  const args = aliases.args(givenArgs);
  const value: unknown = isFields(given) ? aliases.params(fieldsIn(entity, given)) : given;
  const named = entity.queryKey(args, internals.views);
  if (named === undefined)
    throw new HoldfastError(
      'HF_NOT_QUERYABLE',
      `controller.set() of ${nameOf(entity, named)}: its args identify no entity; pass the fields that pk() uses`,
    );
  const own =
    typeof value === 'object' && value !== null ? entity.pk(value, undefined, undefined, args) : undefined;
  const { base } = internals.store;
  const row: RowOf = (table, at) => rowOf(base, table, at);
  // A value that has a former pk itself is another entity, which uses that pk now.
  const pk = own === named ? named : currentPk(row, entity.key, aliases.pk(named));
  if (typeof value !== 'function' && !isFields(value))
    throw new HoldfastError(
      'HF_SHAPE',
      `controller.set() of ${nameOf(entity, pk)}: it was given ${describe(value)}; pass fields or a recipe`,
    );
  const action: Action = { type: 'set', name: entity.name, args };
  const stored = row(entity.key, pk)?.value;
  if (typeof value === 'function') {
    change(internals, entity, pk, args, stored, value as (draft: object) => unknown, action); // narrowed by typeof
    return;
  }
  const current = argsOfPk(entity, args, named, pk, row);
  const ownNow = current === args ? own : entity.pk(value, undefined, undefined, current);
  const input = withIdentity(entity, pk, current, value, ownNow, stored);
  const source = `controller.set(${entity.name})`;
  write(internals, normalize(entity, input, current, source, { pk }), action);
}

/** The data in a value. An entity that was read would only refer to its row: here, it undoes a change of that. */
function fieldsIn({ defaults }: EntityClass, value: object): Readonly<Record<string, unknown>> {
  const origin = originOf(value);
  const fields = typeof origin === 'object' ? givenFields(value, origin, defaults) : value;
  return (typeof origin === 'string' ? { ...fields } : fields) as Readonly<Record<string, unknown>>; // an object
}

function change(
  internals: ControllerInternals,
  entity: EntityClass,
  pk: string,
  args: readonly unknown[],
  stored: EntityValue | undefined,
  recipe: (draft: object) => unknown,
  action: Action,
): void {
  if (stored === undefined)
    throw new HoldfastError(
      'HF_ROW_MISSING',
      `controller.set() of ${nameOf(entity, pk)}: it is not stored; pass a value instead of a recipe`,
    );
  const changed = produceValue(stored, recipe);
  if (changed === stored) return;
  if (!isFields(changed))
    throw new HoldfastError(
      'HF_SHAPE',
      `controller.set() of ${nameOf(entity, pk)}: the recipe returned ${describe(changed)}; change the draft or return a row`,
    );
  const row = { ...changed } as Record<string, unknown>; // a plain object, checked above
  const entities = normalizeRow(entity, pk, row, args);
  const named = entity.pk(row, undefined, undefined, args);
  if (named !== entity.pk(stored, undefined, undefined, args))
    throw new HoldfastError(
      'HF_NOT_QUERYABLE',
      `controller.set() of ${nameOf(entity, pk)}: the recipe changed its pk to ${JSON.stringify(named)}; do not change the pk`,
    );
  write(internals, { entities, updates: [] }, action, (writer, meta) => {
    // The recipe saw the whole row, so fields that it removed are gone.
    writer.setRow(entity.key, pk, { value: adopt(row, stored), meta });
  });
}

/**
 * Writes an entity that was received earlier, at its place in the order of all requests.
 *
 * @param order - when it was received
 */
export function setReceived(
  internals: ControllerInternals,
  entity: EntityClass,
  value: unknown,
  order: number,
): void {
  const normalized = normalize(entity, value, [], 'the outbox');
  const meta = { ...localMeta(internals, false, internals.dataExpiryLength()), order };
  write(internals, normalized, { type: 'set', name: entity.name, args: [] }, undefined, meta);
}

/** Writes entities and collections, by default as if a mutation had just returned them. */
function write(
  internals: ControllerInternals,
  normalized: Pick<Normalized, 'entities' | 'updates'>,
  action: Action,
  then?: (writer: Writer, meta: Meta) => void,
  meta = localMeta(internals, true, internals.dataExpiryLength()),
): void {
  internals.store.commit(
    (writer) => {
      writeNormalized(writer, normalized, meta, internals.registry);
      then?.(writer, meta);
    },
    { action, origin: 'app' },
  );
}

/**
 * The value with its pk fields, added from the stored row or the args if they are missing: what the value contains may
 * need them, as a list with a `nestKey` does.
 *
 * @param own - the pk that the value has by itself
 * @throws HoldfastError `HF_NOT_QUERYABLE` when the value and the args identify different entities
 */
function withIdentity(
  entity: EntityClass,
  pk: string,
  args: readonly unknown[],
  value: object,
  own: string | undefined,
  stored: EntityValue | undefined,
): object {
  if (own === pk) return value;
  const [named] = args;
  if (own === undefined || typeof named === 'object') {
    const given = typeof named === 'object' && named !== null ? named : { id: named };
    const completed: Record<string, unknown> = { ...given, ...value };
    // An alias, an index, or a number instead of text may name it.
    for (const field in stored)
      if ((field === 'id' || Object.hasOwn(given, field)) && !Object.hasOwn(value, field))
        completed[field] = stored[field];
    // The args may hold only a part of a composite pk.
    if (entity.pk(completed, undefined, undefined, args) === pk) return completed;
    if (own === undefined) return value;
  }
  throw new HoldfastError(
    'HF_NOT_QUERYABLE',
    `controller.set() of ${nameOf(entity, pk)}: the value is ${JSON.stringify(own)}; args and value must match`,
  );
}

function nameOf(entity: EntityClass, pk: string | undefined): string {
  return pk === undefined ? entity.name : `${entity.name} ${JSON.stringify(pk)}`;
}

/** Stores a response as if the server had just sent it. */
export function setResponse(internals: ControllerInternals, given: Read, response: unknown): void {
  const { endpoint, args } = given;
  if (
    process.env.NODE_ENV !== 'production' &&
    (typeof response === 'function' || isThenable(Object(response) as object))
  )
    throw new HoldfastError(
      'HF_SHAPE',
      `controller.setResponse() of ${endpoint.name}: it was given ${describe(response)}; pass the response itself`,
    );
  if (endpoint.sideEffect !== true) checkNull(endpoint, response);
  const normalized = normalizeResponse(internals, endpoint, args, response);
  const meta = localMeta(internals, endpoint.sideEffect === true, internals.dataExpiryLength(endpoint));
  // A page has the result of its list.
  const read = { ...given, key: endpoint.resultKey?.(...args) ?? given.key };
  writeResponse(internals, read, normalized, meta, { action: actionOf('setResponse', read), origin: 'app' });
}

/** Stores an error as if a request had just failed with it. */
export function setError(internals: ControllerInternals, read: Read, error: unknown): void {
  const meta = localMeta(internals, false, internals.errorExpiryLength(read.endpoint));
  writeErrorResult(internals, read.key, error, meta, { action: actionOf('setError', read), origin: 'app' });
}
