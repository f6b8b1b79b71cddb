import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { wrapperOf } from '../../schema/entitiesOf.ts';
import { isEntity } from '../../schema/isEntity.ts';
import type { EntityValue, Meta } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { isOlder } from '../../schema/order.ts';
import { references } from '../../schema/references.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import { byPath, hasLists, moveLists } from '../../store/listRenames.ts';
import { byOrder, RENAMES, type PathRename, type Rename as RenameRow } from '../../store/renames.ts';
import { currentPk, rowOf, type StoredRow } from '../../store/State.ts';
import type { CommitOptions } from '../../store/Store.ts';
import type { Recipe, Writer } from '../../store/transaction.ts';
import { mergeRows } from '../../store/writeEntity.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Restored } from '../plugins/StoragePlugin.ts';
import { isPlain } from '../../util/isPlain.ts';
import { paramsOf } from './currentArgs.ts';

/** An entity whose pk in the response differs from the one in the args. */
export interface Rename {
  readonly table: string;
  readonly from: string;
  readonly to: string;
  /** The path parameters that identified it, and the fields of the response that do now; none if it is created. */
  readonly naming?: {
    readonly path: string | undefined;
    readonly params: EntityValue;
    readonly fields: EntityValue;
  };
  /** The pk that the optimistic layer showed. */
  readonly predicted?: string | undefined;
  /** Whether it is a created entity, shown under a pk that the app has chosen and the server has not accepted. */
  readonly isCreated?: boolean;
}

/**
 * The rename that a response contains: the former pk is what the entity would have with the parameters of the args. For a
 * resource's create, it is the predicted pk.
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
  const isCreated = endpoint.ownList !== undefined && expected !== undefined;
  if (!isCreated && endpoint.renames !== true) return undefined;
  const [entity, to] = singleEntity(endpoint.schema, result);
  if (entity === undefined || to === undefined) return undefined;
  const [, predicted] = singleEntity(endpoint.schema, expected);
  const { key: table } = entity;
  if (isCreated)
    return predicted === undefined || predicted === to
      ? undefined
      : { table, from: predicted, to, predicted, isCreated };
  if (!isPlain(params)) return undefined;
  const value = entities.get(entity.key)?.get(to)?.value;
  if (value === undefined) return undefined;
  const pkWith = (fields: EntityValue): string | undefined =>
    entity.queryKey([{ ...params, ...value, ...fields }, ...rest]);
  const { itemParam } = endpoint;
  const named = paramsOf(endpoint, params);
  // Parameters may name other things too, as in `/users/:id/friends/:name`, or in `/orders/:orderId/lines/:id`.
  if (itemParam !== undefined && pkWith({ [itemParam]: '\0' }) === to) return undefined;
  if (Object.entries(named).some(([name, pk]) => name !== itemParam && String(pk) === to)) return undefined;
  const from = pkWith(named);
  if (from === undefined || from === to) return undefined;
  const naming = { path: itemPath(endpoint), params: named, fields: pick(value, Object.keys(named)) };
  return { table, from, to, naming, predicted };
}

/** The path of an endpoint up to its last parameter. */
function itemPath({ path = '', urlPrefix = '' }: EndpointInterface): string | undefined {
  const item = /^.*\/:(?:"[^"]*"|[$\p{ID_Continue}]+)\}*/su.exec(path)?.[0];
  return item === undefined ? undefined : urlPrefix + item;
}

/** The path parameters of a renamed entity, before and after; undefined if the response does not contain them all. */
function pathRename({ naming }: Rename, former?: EntityValue): PathRename | undefined {
  if (naming?.path === undefined) return undefined;
  const { path, params, fields } = naming;
  const names = Object.keys(params);
  if (names.some((name) => !(name in fields))) return undefined;
  const texts = (values: EntityValue): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, String(values[name])]));
  return { path, was: texts({ ...params, ...pick(former, names) }), now: texts(fields) };
}

function pick(value: EntityValue | undefined, names: readonly string[]): EntityValue {
  return Object.fromEntries(
    names.flatMap((name) => (value !== undefined && name in value ? [[name, value[name]]] : [])),
  );
}

/**
 * Whether nothing that is stored depends on the former pk, neither a row nor a list, and nothing on screen: it is not
 * known to be one, and may be an alias, as in `/users/me`.
 */
export function renamesNothing({ plugins }: ControllerInternals, writer: Writer, rename: Rename): boolean {
  if (rename.isCreated === true) {
    // Another entity may have this pk, or have had it.
    const row = writer.row(rename.table, rename.from);
    return row?.value !== undefined || row?.movedTo !== undefined;
  }
  // The disk may have what memory lacks.
  if (plugins.canRestore || rename.predicted !== undefined) return false;
  const below = pathRename(rename);
  return (
    writer.row(rename.table, rename.from) === undefined &&
    (below === undefined || !hasLists(writer.before, byPath(below)))
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
  const from = rename && currentPk((table, pk) => writer.row(table, pk), rename.table, rename.from);
  if (
    rename === undefined ||
    from === undefined ||
    from === rename.to ||
    // The entity is known and never had this pk, so the args have an alias of it, as in `/users/me`.
    (rename.isCreated !== true && at(rename.from) === undefined && at(rename.to)?.value !== undefined)
  ) {
    write();
    return;
  }
  const { table, to, naming } = rename;
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
    writer.setRow(table, to, { value: { ...old.value, ...naming?.fields }, meta: old.meta });
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

/** Stores a rename, and renames what depends on the pk. */
export function recordRename(
  internals: ControllerInternals,
  writer: Writer,
  value: RenameRow['value'],
  meta: Meta,
): void {
  const { table, from, to, below } = value;
  // Never stale, so that it is persisted.
  const rename: RenameRow = { value, meta: { ...meta, expiresAt: Infinity } };
  writer.setRow(RENAMES, `${meta.order} ${table} ${from}`, rename);
  if (writer.row(table, from)?.movedTo === to)
    for (const entity of internals.registry.of(table)) moveScalars(writer, entity, from, to);
  if (below !== undefined) moveLists(writer, byPath(below), meta, internals.registry);
}

/**
 * Renames in memory what another tab has renamed, or an earlier session.
 *
 * @param write - writes what came with the renames. Where that has another entity under a former pk, each rename is a
 * commit of its own.
 */
export function replayRenames<T>(
  internals: ControllerInternals,
  rows: Restored['rows'],
  options: CommitOptions,
  write: Recipe<T>,
): T {
  const { store } = internals;
  const renames = byOrder(
    rows
      .filter(([table, pk]) => table === RENAMES && rowOf(store.base, table, pk) === undefined)
      .map(([, , row]) => row),
  );
  const isReused = renames.some(({ value: { table, from } }) =>
    rows.some(([name, pk, { value }]) => name === table && pk === from && value !== undefined),
  );
  if (isReused)
    for (const rename of renames) store.commit((writer) => replay(internals, writer, rename), options);
  return store.commit((writer) => {
    if (!isReused) for (const rename of renames) replay(internals, writer, rename);
    return write(writer);
  }, options);
}

function replay(internals: ControllerInternals, writer: Writer, rename: RenameRow): void {
  const {
    value: { table, from, to },
    meta,
  } = rename;
  const old = writer.row(table, from);
  const target = writer.row(table, to);
  if (old?.value !== undefined && isOlder(old.meta, meta)) {
    if (target === undefined || (target.value === undefined && isOlder(target.meta, meta)))
      writer.setRow(table, to, old);
    writer.setRow(table, from, { value: undefined, meta, movedTo: to });
  }
  recordRename(internals, writer, rename.value, meta);
}

/** Moves an entity's values that depend on args, which are in rows of their own, to its new pk. */
function moveScalars(writer: Writer, entity: EntityClass, from: string, to: string): void {
  references(entity.schema, writer.row(entity.key, to)?.value, (scalars, pk) => {
    const row = writer.row(scalars.key, from);
    if (scalars.lens === undefined || pk !== to || row?.value === undefined) return;
    writer.setRow(scalars.key, to, mergeRows(scalars, writer.row(scalars.key, to), row));
    writer.setRow(scalars.key, from, { value: undefined, meta: row.meta, movedTo: to });
  });
}

/** The single entity of a value, possibly wrapped, and its pk. */
export function singleEntity(schema: Schema, result: unknown): readonly [entity?: EntityClass, pk?: string] {
  if (isEntity(schema)) return typeof result === 'string' ? [schema, result] : [];
  const wrapper = wrapperOf(schema);
  return wrapper !== undefined && isPlain(result) ? singleEntity(wrapper[1], result[wrapper[0]]) : [];
}

function isNewer(row: StoredRow | undefined, meta: Meta): boolean {
  return row !== undefined && isOlder(meta, row.meta);
}
