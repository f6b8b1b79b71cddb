import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { pathOfLists } from '../../endpoint/rest/collectionOf.ts';
import { entitiesOf, wrapperOf } from '../../schema/entitiesOf.ts';
import { toPk } from '../../schema/entity/pk.ts';
import { isEntity } from '../../schema/isEntity.ts';
import type { EntityValue } from '../../schema/Meta.ts';
import { references } from '../../schema/references.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import type { Aliases } from '../../store/Aliases.ts';
import { renamedParams } from '../../store/listRenames.ts';
import { RENAMES, renamesSince } from '../../store/renames.ts';
import { currentPk, rowOf, type RowOf, type State, type StoredRow } from '../../store/State.ts';
import type { Table } from '../../store/Table.ts';
import { isPlain } from '../../util/isPlain.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { EndpointCall } from '../requests/NetworkRequest.ts';

/** Knows the current pks of created and renamed entities. */
export interface CurrentPks {
  readonly aliases: Pick<Aliases, 'pk' | 'params'>;
  readonly row: RowOf;
  /** The current pk of a row. */
  readonly pk: (table: string, pk: string) => string;
  /** The table of all renames. */
  readonly renames: Table<StoredRow> | undefined;
}

/** The current pks in the confirmed state. */
export function basePks({
  aliases,
  store: { base },
}: Pick<ControllerInternals, 'aliases' | 'store'>): CurrentPks {
  return pksIn(base, aliases);
}

/**
 * The current pks in a state.
 *
 * @param row - looks up a row of that state
 */
export function pksIn(
  state: State,
  aliases: CurrentPks['aliases'],
  row: RowOf = (table, pk) => rowOf(state, table, pk),
): CurrentPks {
  return {
    aliases,
    row,
    pk: (table, pk) => currentPk(row, table, pk),
    renames: state.tables[RENAMES],
  };
}

/**
 * The args with the current pks of entities that were created or renamed since: of the endpoint's own entity, and of
 * those that the beginning of its path identifies. The same args if they refer to none, or cannot express the pk.
 */
export function currentArgs({ endpoint, args }: EndpointCall, pks: CurrentPks): readonly unknown[] {
  return currentOwnArgs({ endpoint, args: currentPathArgs({ endpoint, args }, pks) }, pks);
}

/** The same where only the entities matter that the beginning of the path identifies. */
export function currentPathArgs(
  { endpoint, args }: EndpointCall,
  { aliases, row, renames }: CurrentPks,
): readonly unknown[] {
  const [first, ...rest] = args;
  if (!isPlain(first)) return args;
  const path = pathOfLists(endpoint);
  let params: EntityValue = aliases.params(first);
  for (const { value } of renamesSince(renames))
    // The server may have given the former pk to another entity.
    if (value.below !== undefined && row(value.table, value.from)?.movedTo !== undefined)
      params = renamedParams(params, path, value.below);
  return params === first ? args : [params, ...rest];
}

function currentOwnArgs(
  { endpoint, args }: EndpointCall,
  { aliases, row, pk: pkNow }: CurrentPks,
): readonly unknown[] {
  const entity = entityIn(endpoint.schema);
  // Without a path, only the args of a read are known to identify an entity.
  const { pathParams } = endpoint;
  const isNaming = pathParams === undefined ? endpoint.sideEffect !== true : pathParams.size > 0;
  if (entity === undefined || !isNaming) return args;
  const named = entity.queryKey(args);
  if (named === undefined) return args;
  return argsOfPk(entity, args, named, pkNow(entity.key, aliases.pk(named)), row);
}

/** Args that identify a row by a former pk, with its current one; the same args if they cannot express it. */
export function argsOfPk(
  entity: EntityClass,
  args: readonly unknown[],
  from: string,
  to: string,
  row: RowOf,
): readonly unknown[] {
  const [first, ...rest] = args;
  if (from === to) return args;
  if (!isPlain(first)) return [to, ...rest];
  const current = withPk(entity, first, rest, from, to, row);
  return current === undefined ? args : [current, ...rest];
}

/** The fields with another pk of their row; undefined if they cannot express it. */
function withPk(
  entity: EntityClass,
  fields: EntityValue,
  rest: readonly unknown[],
  from: string,
  to: string,
  row: RowOf,
): EntityValue | undefined {
  const value = row(entity.key, to)?.value ?? {};
  let [current, name]: [EntityValue, string] = [fields, from];
  for (const field of Object.keys(fields)) {
    const own = value[field];
    // An optimistic row has dates as the app has passed them.
    const part =
      own instanceof Date ? own.toJSON() : (own ?? (String(fields[field]) === from ? to : undefined));
    if (typeof part !== 'string' && typeof part !== 'number') continue;
    const next = { ...current, [field]: part };
    const nextName = entity.queryKey([next, ...rest]);
    if (nextName !== undefined && nextName !== name) [current, name] = [next, nextName];
  }
  return name === to ? current : undefined;
}

/** The row that args identify, to an endpoint whose path has parameters; undefined if they do not. */
export function rowNamedBy(
  endpoint: EndpointInterface,
  args: readonly unknown[],
): readonly [table: string, pk: string] | undefined {
  const entity = entityIn(endpoint.schema);
  if (entity === undefined || endpoint.pathParams?.size === 0) return undefined;
  const pk = entity.queryKey(args);
  return pk === undefined ? undefined : [entity.key, pk];
}

/** The fields of a body that hold pks, with their tables. */
export function* relationsIn(
  endpoint: EndpointInterface,
  body: unknown,
): Generator<readonly [table: string, pk: string, field: string]> {
  const [fields] = fieldsIn(endpoint.schema, body);
  for (const [field, schema] of Object.entries(entityIn(endpoint.schema)?.schema ?? {})) {
    const pk = isEntity(schema) && fields !== undefined ? toPk(fields[field]) : undefined;
    if (isEntity(schema) && pk !== undefined) yield [schema.key, pk, field];
  }
}

/** The rows that a body refers to by pk, also in lists. */
export function rowsInBody(
  endpoint: EndpointInterface,
  body: unknown,
): readonly (readonly [table: string, pk: string])[] {
  const rows = [...relationsIn(endpoint, body)].map(([table, pk]) => [table, pk] as const);
  const [fields] = fieldsIn(endpoint.schema, body);
  for (const [field, schema] of Object.entries(entityIn(endpoint.schema)?.schema ?? {}))
    if (!isEntity(schema)) references(schema, fields?.[field], ({ key }, pk) => rows.push([key, pk]));
  return rows;
}

/**
 * A body with the current pks: in relation fields and, if a form sends the entity's own fields, in its pk fields.
 *
 * @param named - the row that the args identify
 */
export function currentBody(
  endpoint: EndpointInterface,
  body: unknown,
  named: readonly [table: string, pk: string] | undefined,
  { row, pk: pkNow }: Pick<CurrentPks, 'row' | 'pk'>,
): unknown {
  const [fields, wrap] = fieldsIn(endpoint.schema, body);
  if (fields === undefined) return body;
  let current = fields;
  for (const [table, pk, field] of relationsIn(endpoint, body)) {
    const now = pkNow(table, pk);
    if (now !== pk) current = { ...current, [field]: now };
  }
  const entity = entityIn(endpoint.schema);
  if (entity !== undefined && named !== undefined && entity.queryKey([current]) === named[1]) {
    const pk = pkNow(entity.key, named[1]);
    current = withPk(entity, current, [], named[1], pk, row) ?? current;
  }
  return current === fields ? body : wrap(current);
}

/** The row of the endpoint's entity with the pk in a body; undefined if it has none. */
export function rowInBody(
  endpoint: EndpointInterface,
  body: unknown,
): readonly [table: string, pk: string] | undefined {
  const entity = entityIn(endpoint.schema);
  const [fields] = fieldsIn(endpoint.schema, body);
  const pk = fields && entity?.queryKey([fields]);
  return entity === undefined || pk === undefined ? undefined : [entity.key, pk];
}

/**
 * The entity's fields in a body, which may be wrapped like the response, and a function that puts others in their
 * place.
 */
function fieldsIn(
  schema: Schema,
  body: unknown,
): readonly [fields: EntityValue | undefined, wrap: (fields: EntityValue) => unknown] {
  if (!isPlain(body)) return [undefined, () => body];
  const wrapper = wrapperOf(schema);
  if (wrapper === undefined || !isPlain(body[wrapper[0]])) return [body, (fields) => fields];
  const [name, nested] = wrapper;
  const [fields, wrap] = fieldsIn(nested, body[name]);
  return [fields, (changed) => ({ ...body, [name]: wrap(changed) })];
}

/** The args of an endpoint whose path is a prefix of the requested one: the other parameters name other entities. */
export function parentArgs(
  parent: EndpointInterface,
  [first, ...rest]: readonly unknown[],
): readonly unknown[] {
  return [isPlain(first) ? paramsOf(parent, first) : first, ...rest];
}

/** The members of the first argument that the path contains. */
export function paramsOf({ pathParams }: EndpointInterface, first: EntityValue): EntityValue {
  if (pathParams === undefined) return first;
  return Object.fromEntries(Object.entries(first).filter(([name]) => pathParams.has(name)));
}

/** The single entity of a schema, possibly wrapped. */
function entityIn(schema: Schema): EntityClass | undefined {
  const wrapper = wrapperOf(schema);
  if (wrapper !== undefined) return entityIn(wrapper[1]);
  const [entity, ...others] = entitiesOf(schema);
  return others.length === 0 ? entity : undefined;
}
