import { isListTable } from '../../schema/collection/collectionArgs.ts';
import type { EntityValue, Meta } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { references } from '../../schema/references.ts';
import type { EntityClass, Schema } from '../../schema/Schema.ts';
import { byTemporaryPk, moveLists } from '../../store/listRenames.ts';
import { rowOf } from '../../store/State.ts';
import { TEMPORARY_PK } from '../../store/temporaryPks.ts';
import type { Writer } from '../../store/transaction.ts';
import { mergeRows } from '../../store/writeEntity.ts';
import { getOrInsert } from '../../util/getOrInsert.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { CreatedRow, Mutation } from './Mutation.ts';

/** A row that the response of a mutation has in place of a predicted one, or that one itself. */
export interface PairedRow extends Row {
  /** The pk of the predicted row. */
  readonly shownPk: string;
  /** Whether the response refers to it directly, not only by another row. */
  readonly isRoot: boolean;
  readonly predicted: EntityValue;
  readonly received: EntityValue;
}

/**
 * Pairs the rows of a response with those of the prediction: by pk, and those of a table that are left, by position, if
 * there are as many in both. If only one is predicted that the response refers to directly, it is the first. Inside of
 * rows, only lists and rows with a temporary pk can be new.
 *
 * @param prediction - for the confirmed state. Default: what is shown, which other mutations may have changed
 */
export function pairRows(
  { store }: ControllerInternals,
  { endpoint, temporaryPk, expected }: Mutation,
  { result, entities }: Normalized,
  prediction?: Normalized,
): readonly PairedRow[] {
  const paired: PairedRow[] = [];
  const visited = new Set<string>();
  const visit = (schema: Schema, shown: unknown, answered: unknown, isRoot: boolean): void => {
    const pair = (entity: EntityClass, shownPk: string, pk: string | undefined): void => {
      const { key: table } = entity;
      const mayBeNew = isRoot || isListTable(table) || shownPk.includes(temporaryPk);
      const name = `${table} ${shownPk}`;
      if (pk === undefined || !mayBeNew || visited.has(name)) return;
      visited.add(name);
      const row = prediction
        ? prediction.entities.get(table)?.get(shownPk)
        : rowOf(store.head, table, shownPk);
      const predicted = row?.value ?? {};
      const received = entities.get(table)?.get(pk)?.value ?? {};
      paired.push({ entity, table, pk, shownPk, isRoot, predicted, received });
      visit(entity.schema, predicted, received, false);
    };
    const answeredRows = rowsByTable(schema, answered);
    for (const [table, rows] of rowsByTable(schema, shown)) {
      const others = new Set(answeredRows.get(table)?.keys());
      const left = [...rows].filter(([pk, entity]) => {
        const isAnswered = others.delete(pk);
        if (isAnswered) pair(entity, pk, pk);
        return !isAnswered;
      });
      const pks = [...others];
      const isCertain = pks.length === left.length || (isRoot && left.length === 1);
      if (isCertain) left.forEach(([pk, entity], place) => pair(entity, pk, pks[place]));
    }
  };
  visit(endpoint.schema, prediction ? prediction.result : expected, result, true);
  return paired;
}

function rowsByTable(schema: Schema, value: unknown): Map<string, Map<string, EntityClass>> {
  const tables = new Map<string, Map<string, EntityClass>>();
  references(schema, value, (entity, pk) =>
    getOrInsert(tables, entity.key, () => new Map<string, EntityClass>()).set(pk, entity),
  );
  return tables;
}

/**
 * Records the server's pks of created entities, so that readers of their temporary pks continue with them.
 *
 * @param paired - the rows of its response
 */
export function resolveTemporaryPks(
  internals: ControllerInternals,
  mutation: Mutation,
  { result, entities }: Normalized,
  paired: readonly PairedRow[],
): void {
  const { endpoint, temporaryPk, expected, isReferenced } = mutation;
  let own: CreatedRow | undefined;
  const others: Record<string, CreatedRow> = {};
  for (const { table, pk, shownPk, isRoot, predicted, received } of paired) {
    const [name = temporaryPk] = shownPk.match(TEMPORARY_PK) ?? [];
    const filled = Object.keys(predicted).filter((field) => predicted[field] === name);
    const created = { table, pk, shownPk, ...serverIdsOf(received, pk, filled) };
    if (name !== temporaryPk) others[name] = created;
    else if (isRoot && (shownPk.includes(name) || filled.length > 0)) own ??= created;
  }
  const hasOthers = Object.keys(others).length > 0;
  const [row, ...more] = rowsIn(endpoint.schema, result);
  // Only a single row is certain to be the created one, and not if several were predicted.
  const isCertain =
    isReferenced === true && more.length === 0 && rowsIn(endpoint.schema, expected).length < 2;
  if (own === undefined && row !== undefined && (hasOthers || isCertain)) {
    const { table, pk } = row;
    const value = entities.get(table)?.get(pk)?.value;
    // Around new entities, rows may have pks of their own.
    const shownPk = hasOthers ? pk : temporaryPk;
    own = { table, pk, shownPk, ...serverIdsOf(value, pk, [endpoint.itemParam ?? 'id']) };
  }
  if (own === undefined) return;
  mutation.createdRow = hasOthers ? { ...own, others } : own;
  addAliases(internals, mutation);
}

/** What a mutation has created. */
type Creation = Pick<Mutation, 'temporaryPk' | 'createdRow'>;

/** Makes readers of the temporary pks of a mutation continue with the rows that the server has created. */
export function addAliases({ aliases, store }: ControllerInternals, creation: Creation): void {
  for (const [name, row] of byName(creation))
    aliases.add(name, row, rowOf(store.head, row.table, row.pk)?.value !== undefined);
}

/**
 * Moves to the server's pks what is stored under the temporary ones: what the app has set, and the lists below these rows,
 * which are stale if they may lack what others have added.
 */
export function moveCreated(
  { aliases, registry }: ControllerInternals,
  writer: Writer,
  creation: Creation,
  meta: Meta,
  isStale?: boolean,
): void {
  for (const [name, { table, pk, shownPk }] of byName(creation)) {
    moveLists(writer, byTemporaryPk(name, aliases), meta, registry, isStale);
    const set = shownPk === pk ? undefined : writer.row(table, shownPk);
    if (set?.value === undefined) continue;
    const [entity] = registry.of(table);
    const moved = { ...set, value: aliases.params(set.value) };
    writer.setRow(table, pk, mergeRows(entity, writer.row(table, pk), moved));
    writer.setRow(table, shownPk, { value: undefined, meta, movedTo: pk });
  }
}

/** The created rows, by the temporary pks that they were shown under. */
function byName({ temporaryPk, createdRow }: Creation): readonly (readonly [string, CreatedRow])[] {
  return createdRow ? [[temporaryPk, createdRow], ...Object.entries(createdRow.others ?? {})] : [];
}

/** The server's values in place of a temporary pk. */
function serverIdsOf(
  value: EntityValue = {},
  pk: string,
  filled: readonly string[],
): Pick<CreatedRow, 'id' | 'ids'> {
  const ids: Record<string, string | number> = {};
  for (const field of new Set([...filled, 'id'])) {
    const id = value[field];
    if ((typeof id === 'string' && id !== '') || typeof id === 'number') ids[field] = id;
  }
  // A pk may consist of several fields, of which the server has assigned one.
  const part = filled.length === 1 ? ids[filled[0] ?? ''] : undefined;
  return { id: Object.values(ids).find((id) => String(id) === pk) ?? part ?? pk, ids };
}

/** A row that a value refers to. */
export interface Row {
  readonly entity: EntityClass;
  readonly table: string;
  readonly pk: string;
}

/** The rows that a normalized value refers to directly. */
export function rowsIn(schema: Schema, value: unknown): readonly Row[] {
  const rows: Row[] = [];
  references(schema, value, (entity, pk) => rows.push({ entity, table: entity.key, pk }));
  return rows;
}
