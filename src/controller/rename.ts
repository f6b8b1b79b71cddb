import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { entitiesOf, wrapperOf } from '../schema/entitiesOf.ts';
import { isEntity } from '../schema/isEntity.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import type { Normalized } from '../schema/normalize.ts';
import { isOlder } from '../schema/order.ts';
import { toPk } from '../schema/pk.ts';
import type { EntityClass, Schema } from '../schema/Schema.ts';
import type { Aliases } from '../store/Aliases.ts';
import { currentPk, type StoredRow } from '../store/State.ts';
import type { Writer } from '../store/transaction.ts';
import { isPlain } from '../util/isPlain.ts';

/** An entity that an answer names otherwise than the arguments did. */
interface Rename {
  readonly table: string;
  readonly from: string;
  readonly to: string;
  /** The fields that name it, as the answer has them. */
  readonly naming: EntityValue;
  /** The pk that it was shown under until it was answered. */
  readonly predicted?: string | undefined;
}

/** Gives what is stored. */
export type RowOf = (table: string, pk: string) => StoredRow | undefined;

/**
 * What an answer renames: the pk that its entity would have with the arguments' parameters in it is its former one.
 *
 * @param expected - what it was expected to answer, normalized
 * @returns undefined where the endpoint renames nothing, or the entity has the pk that it had
 */
export function renameOf(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  { result, entities }: Normalized,
  expected?: unknown,
): Rename | undefined {
  const [params, ...rest] = args;
  if (endpoint.renames !== true || !isPlain(params)) return undefined;
  const [entity, to] = single(endpoint.schema, result);
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
  const naming = Object.fromEntries(
    Object.keys(named).flatMap((name) => (name in value ? [[name, value[name]]] : [])),
  );
  const [, predicted] = single(endpoint.schema, expected);
  return { table: entity.key, from, to, naming, predicted };
}

/**
 * Writes an answer that may rename an entity: what was stored of it goes on under its new pk, and the old one leads
 * there.
 *
 * @param write - writes the answer
 * @param renamed - told of what has another pk now
 */
export function writeRenamed(
  writer: Writer,
  rename: Rename | undefined,
  meta: Meta,
  write: () => void,
  renamed?: (table: string, from: string, to: string) => void,
): void {
  const at = (pk: string): StoredRow | undefined => writer.row(rename?.table ?? '', pk);
  const from = rename === undefined ? undefined : currentPk(at, rename.from);
  if (rename === undefined || from === undefined || from === rename.to) {
    write();
    return;
  }
  const { table, to, naming } = rename;
  const old = at(from);
  const target = at(to);
  const isLate = from !== rename.from && isNewer(at(rename.from), meta);
  const isDeleted = old !== undefined && old.value === undefined && isNewer(old, meta);
  if (isLate || isDeleted) {
    // A later mutation has renamed it again, or deleted it: `to` is what it was called in between.
    write();
    if (!isNewer(target, meta))
      writer.setRow(table, to, isDeleted ? old : { value: undefined, meta, movedTo: from });
    return;
  }
  // Of two mutations under way at once, the later one did not know of the new pk.
  const isOvertaken = old?.value !== undefined && old.meta.answered !== 0 && isNewer(old, meta);
  const movedMeta = isOvertaken ? { ...meta, order: old.meta.order + 1 } : meta;
  const isOther = isNewer(old, movedMeta);
  if (!isOther && old?.value !== undefined && target?.value === undefined && !isNewer(target, meta))
    writer.setRow(table, to, { value: { ...old.value, ...naming }, meta: old.meta });
  write();
  // What has the old pk by now may be another entity.
  if (isOther) return;
  writer.setRow(table, from, { value: undefined, meta: movedMeta, movedTo: to });
  const { predicted } = rename;
  // What was done meanwhile may name it by the pk that it was to have.
  if (predicted !== undefined && predicted !== to && at(predicted) === undefined)
    writer.setRow(table, predicted, { value: undefined, meta, movedTo: to });
  renamed?.(table, from, to);
}

/**
 * Arguments that name an entity by the pk that it has now, where it was created or renamed since it had theirs. The same
 * ones where they name none, or it cannot be said in them.
 */
export function currentArgs(
  endpoint: EndpointInterface,
  args: readonly unknown[],
  aliases: Pick<Aliases, 'pk'>,
  row: RowOf,
): readonly unknown[] {
  const [first, ...rest] = args;
  const entity = entityIn(endpoint.schema);
  // Without a path, only what a read is asked for is known to be a name.
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

/** Fields that name an entity by another pk, which is that of its row; undefined where they cannot. */
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
 * The row that arguments name by the parameters of an endpoint's path; undefined where they name none.
 *
 * @param endpoint - any whose path is the beginning of what is asked for
 */
export function namedBy(
  endpoint: EndpointInterface,
  [first, ...rest]: readonly unknown[],
): readonly [table: string, pk: string] | undefined {
  const entity = entityIn(endpoint.schema);
  if (entity === undefined || endpoint.pathParams?.size === 0) return undefined;
  const pk = entity.queryKey([isPlain(first) ? paramsOf(endpoint, first) : first, ...rest]);
  return pk === undefined ? undefined : [entity.key, pk];
}

/** The fields of a body that hold pks, and the table of each. */
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
 * A body that names entities by the pks that they have now: in fields that hold pks, and where a form sends the fields of
 * the entity itself, in those that name it.
 *
 * @param named - what the arguments name
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

/** The fields of an entity in a body, which may wrap it as the answer does, and what puts others in their place. */
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

/** Of the first argument, what names something. */
function paramsOf({ pathParams }: EndpointInterface, first: EntityValue): EntityValue {
  if (pathParams === undefined) return first;
  return Object.fromEntries(Object.entries(first).filter(([name]) => pathParams.has(name)));
}

/** The one entity that a value is, in a wrapper perhaps, and its reference. */
function single(schema: Schema, result: unknown): readonly [entity?: EntityClass, pk?: string] {
  if (isEntity(schema)) return typeof result === 'string' ? [schema, result] : [];
  const wrapper = wrapperOf(schema);
  return wrapper !== undefined && isPlain(result) ? single(wrapper[1], result[wrapper[0]]) : [];
}

/** The one entity that values of a schema are, in a wrapper perhaps. */
function entityIn(schema: Schema): EntityClass | undefined {
  const wrapper = wrapperOf(schema);
  if (wrapper !== undefined) return entityIn(wrapper[1]);
  const [entity, ...others] = entitiesOf(schema);
  return others.length === 0 ? entity : undefined;
}

function isNewer(row: StoredRow | undefined, meta: Meta): boolean {
  return row !== undefined && isOlder(meta, row.meta);
}
