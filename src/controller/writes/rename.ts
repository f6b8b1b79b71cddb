import { pathOfLists } from '../../endpoint/rest/collectionOf.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { entitiesOf, wrapperOf } from '../../schema/entitiesOf.ts';
import { isEntity } from '../../schema/isEntity.ts';
import type { EntityValue, Meta } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/normalize.ts';
import { isOlder } from '../../schema/order.ts';
import { toPk } from '../../schema/entity/pk.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import type { Aliases } from '../../store/Aliases.ts';
import { renamedParams } from '../../store/listRenames.ts';
import { RENAMES, renamesSince, type PathRename, type Rename as RenameRow } from '../../store/renames.ts';
import { currentPk, rowOf, type StoredRow } from '../../store/State.ts';
import type { Table } from '../../store/Table.ts';
import type { Writer } from '../../store/transaction.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import { isPlain } from '../../util/isPlain.ts';

/** An entity whose pk in the response differs from the one in the args. */
interface Rename {
  readonly table: string;
  readonly from: string;
  readonly to: string;
  /** The fields that form its pk, from the response. */
  readonly namingFields: EntityValue;
  /** The path of the entity, and the parameters that identified it. */
  readonly path: string | undefined;
  readonly params: EntityValue;
  /** The pk that the optimistic layer showed. */
  readonly predicted?: string | undefined;
}

/** Looks up a stored row. */
export type RowOf = (table: string, pk: string) => StoredRow | undefined;

/**
 * The rename that a response contains: the former pk is what the entity would have with the parameters of the args.
 *
 * @param expected - the predicted response, normalized
 * @returns undefined if the endpoint does not rename, or the pk is the same
 */
export function renameOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  { result, entities }: Normalized,
  expected?: unknown,
): Rename | undefined {
  const [params, ...rest] = args;
  if (endpoint.renames !== true || !isPlain(params)) return undefined;
  const [entity, to] = singleEntity(endpoint.schema, result);
  if (entity === undefined || to === undefined) return undefined;
  const value = entities.get(entity.key)?.get(to)?.value as EntityValue | undefined; // of a row
  if (value === undefined) return undefined;
  const pkWith = (fields: EntityValue): string | undefined =>
    entity.queryKey([{ ...value, ...fields }, ...rest]);
  const { itemParam } = endpoint;
  // Parameters may name other things too, as in `/users/:id/friends/:name`.
  if (itemParam !== undefined && pkWith({ [itemParam]: '\0' }) === to) return undefined;
  const named = paramsOf(endpoint, params);
  const from = pkWith(named);
  if (from === undefined || from === to) return undefined;
  const namingFields = Object.fromEntries(
    Object.keys(named).flatMap((name) => (name in value ? [[name, value[name]]] : [])),
  );
  const [, predicted] = singleEntity(endpoint.schema, expected);
  return { table: entity.key, from, to, namingFields, path: itemPath(endpoint), params: named, predicted };
}

/** The path of an endpoint up to its last parameter. */
function itemPath({ path, urlPrefix = '' }: EndpointInterface): string | undefined {
  const item = path === undefined ? undefined : /^.*\/:(?:"[^"]*"|[$\p{ID_Continue}]+)\}*/su.exec(path)?.[0];
  return item === undefined ? undefined : urlPrefix + item;
}

/** The path parameters of a renamed entity, before and after; undefined if the response does not contain them all. */
function pathRename(
  { path, params, namingFields }: Rename,
  former: EntityValue | undefined,
): PathRename | undefined {
  if (path === undefined || Object.keys(params).some((name) => !(name in namingFields))) return undefined;
  const texts = (values: EntityValue): Record<string, string> =>
    Object.fromEntries(Object.keys(params).map((name) => [name, String(values[name])]));
  return { path, was: texts({ ...params, ...pick(former, Object.keys(params)) }), now: texts(namingFields) };
}

function pick(value: EntityValue | undefined, names: readonly string[]): EntityValue {
  return Object.fromEntries(
    names.flatMap((name) => (value !== undefined && name in value ? [[name, value[name]]] : [])),
  );
}

/**
 * Writes a response that may rename an entity: its stored row moves to the new pk, and a tombstone at the old one
 * refers to it.
 *
 * @param write - writes the response
 * @param renamed - called with the renamed row
 */
export function writeRenamed(
  writer: Writer,
  rename: Rename | undefined,
  meta: Meta,
  write: () => void,
  renamed?: (value: RenameRow['value'], meta: Meta) => void,
): void {
  const at = (pk: string): StoredRow | undefined => writer.row(rename?.table ?? '', pk);
  const from = rename === undefined ? undefined : currentPk(at, rename.from);
  if (rename === undefined || from === undefined || from === rename.to) {
    write();
    return;
  }
  const { table, to, namingFields } = rename;
  const old = at(from);
  const target = at(to);
  const isLate = from !== rename.from && isNewer(at(rename.from), meta);
  const isDeleted = old !== undefined && old.value === undefined && isNewer(old, meta);
  if (isLate || isDeleted) {
    // A later mutation has renamed or deleted it again; `to` is an intermediate pk.
    write();
    if (!isNewer(target, meta))
      writer.setRow(table, to, isDeleted ? old : { value: undefined, meta, movedTo: from });
    return;
  }
  // Of two concurrent mutations, the later one did not know the new pk.
  const isOvertaken = old?.value !== undefined && old.meta.answered !== 0 && isNewer(old, meta);
  const movedMeta = isOvertaken ? { ...meta, order: old.meta.order + 1 } : meta;
  const isReplaced = isNewer(old, movedMeta);
  if (!isReplaced && old?.value !== undefined && target?.value === undefined && !isNewer(target, meta))
    writer.setRow(table, to, { value: { ...old.value, ...namingFields }, meta: old.meta });
  write();
  // The old pk may belong to another entity now.
  if (isReplaced) return;
  writer.setRow(table, from, { value: undefined, meta: movedMeta, movedTo: to });
  const { predicted } = rename;
  // Concurrent changes may refer to it by the predicted pk.
  if (predicted !== undefined && predicted !== to && at(predicted) === undefined)
    writer.setRow(table, predicted, { value: undefined, meta, movedTo: to });
  const below = pathRename(rename, from === rename.from ? undefined : old?.value);
  renamed?.({ table, from, to, ...(below && { below }) }, movedMeta);
}

/** The args of a call with the current pks of confirmed entities. */
export function baseArgs(
  { aliases, store: { base } }: ControllerInternals,
  { endpoint, args }: { readonly endpoint: EndpointInterface; readonly args: readonly unknown[] },
): readonly unknown[] {
  return currentArgs(endpoint, args, aliases, (table, pk) => rowOf(base, table, pk), base.tables[RENAMES]);
}

/** The same where only the entities matter that the beginning of the path identifies. */
export function pathArgs(
  { aliases, store: { base } }: ControllerInternals,
  { endpoint, args }: { readonly endpoint: EndpointInterface; readonly args: readonly unknown[] },
): readonly unknown[] {
  return currentPathArgs(
    endpoint,
    args,
    aliases,
    (table, pk) => rowOf(base, table, pk),
    base.tables[RENAMES],
  );
}

/**
 * The args with the current pks of entities that were created or renamed since: of the endpoint's own entity, and of
 * those that the beginning of its path identifies. The same args if they refer to none, or cannot express the pk.
 *
 * @param renames - the table of all renames
 */
export function currentArgs(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  aliases: Pick<Aliases, 'pk' | 'params'>,
  row: RowOf,
  renames: Table<StoredRow> | undefined,
): readonly unknown[] {
  return currentOwnArgs(endpoint, currentPathArgs(endpoint, args, aliases, row, renames), aliases, row);
}

function currentPathArgs(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  aliases: Pick<Aliases, 'params'>,
  row: RowOf,
  renames: Table<StoredRow> | undefined,
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
  endpoint: EndpointInterface,
  args: readonly unknown[],
  aliases: Pick<Aliases, 'pk'>,
  row: RowOf,
): readonly unknown[] {
  const [first, ...rest] = args;
  const entity = entityIn(endpoint.schema);
  // Without a path, only the args of a read are known to identify an entity.
  const isNaming =
    endpoint.pathParams === undefined ? endpoint.sideEffect !== true : endpoint.pathParams.size > 0;
  if (entity === undefined || !isNaming) return args;
  const params: Readonly<Record<string, unknown>> | undefined = isPlain(first)
    ? paramsOf(endpoint, first)
    : undefined;
  const pkOf = (named: unknown): string | undefined => entity.queryKey([named, ...rest]);
  const named = pkOf(params ?? first);
  if (named === undefined) return args;
  const pk = currentPk((former) => row(entity.key, former), aliases.pk(named));
  if (pk === named) return args;
  if (params === undefined) return [pk, ...rest];
  const current = withPk(entity, params, rest, named, pk, row);
  return current === undefined ? args : [{ ...(first as object), ...current }, ...rest]; // it has params
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
    const part = value[field] ?? (String(fields[field]) === from ? to : undefined);
    if (typeof part !== 'string' && typeof part !== 'number') continue;
    const next = { ...current, [field]: part };
    const nextName = entity.queryKey([next, ...rest]);
    if (nextName !== undefined && nextName !== name) [current, name] = [next, nextName];
  }
  return name === to ? current : undefined;
}

/**
 * The row that args identify by the parameters of an endpoint's path; undefined if they do not.
 *
 * @param endpoint - one whose path is a prefix of the requested one
 */
export function rowNamedBy(
  endpoint: EndpointInterface,
  [first, ...rest]: readonly unknown[],
): readonly [table: string, pk: string] | undefined {
  const entity = entityIn(endpoint.schema);
  if (entity === undefined || endpoint.pathParams?.size === 0) return undefined;
  const pk = entity.queryKey([isPlain(first) ? paramsOf(endpoint, first) : first, ...rest]);
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

/**
 * A body with the current pks: in relation fields and, if a form sends the entity's own fields, in its pk fields.
 *
 * @param named - the row that the args identify
 */
export function currentBody(
  endpoint: EndpointInterface,
  body: unknown,
  named: readonly [table: string, pk: string] | undefined,
  row: RowOf,
): unknown {
  const [fields, wrap] = fieldsIn(endpoint.schema, body);
  if (fields === undefined) return body;
  let current = fields;
  for (const [table, pk, field] of relationsIn(endpoint, body)) {
    const now = currentPk((former) => row(table, former), pk);
    if (now !== pk) current = { ...current, [field]: now };
  }
  const entity = entityIn(endpoint.schema);
  if (entity !== undefined && named !== undefined && entity.queryKey([current]) === named[1]) {
    const pk = currentPk((former) => row(entity.key, former), named[1]);
    current = withPk(entity, current, [], named[1], pk, row) ?? current;
  }
  return current === fields ? body : wrap(current);
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

/** The members of the first argument that identify an entity. */
function paramsOf({ pathParams }: EndpointInterface, first: EntityValue): EntityValue {
  if (pathParams === undefined) return first;
  return Object.fromEntries(Object.entries(first).filter(([name]) => pathParams.has(name)));
}

/** The single entity of a value, possibly wrapped, and its pk. */
function singleEntity(schema: Schema, result: unknown): readonly [entity?: EntityClass, pk?: string] {
  if (isEntity(schema)) return typeof result === 'string' ? [schema, result] : [];
  const wrapper = wrapperOf(schema);
  return wrapper !== undefined && isPlain(result) ? singleEntity(wrapper[1], result[wrapper[0]]) : [];
}

/** The single entity of a schema, possibly wrapped. */
function entityIn(schema: Schema): EntityClass | undefined {
  const wrapper = wrapperOf(schema);
  if (wrapper !== undefined) return entityIn(wrapper[1]);
  const [entity, ...others] = entitiesOf(schema);
  return others.length === 0 ? entity : undefined;
}

function isNewer(row: StoredRow | undefined, meta: Meta): boolean {
  return row !== undefined && isOlder(meta, row.meta);
}
