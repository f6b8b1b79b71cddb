import { references } from '../schema/references.ts';
import { renamedIn } from '../schema/renamed.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { EntityClass } from '../schema/Schema.ts';
import { mergeRows } from '../store/writeEntity.ts';
import type { Writer } from '../store/transaction.ts';
import { adopt } from '../util/adopt.ts';
import { EntityNode } from '../views/EntityNode.ts';
import type { Node } from '../views/Node.ts';
import { ResultNode } from '../views/RootNode.ts';
import type { Views } from '../views/Views.ts';

/**
 * Has what is in memory and names an entity name it by its new pk: the old one may be given to another. What has not been
 * read yet, or lies on disk, is led there by the row of the old pk.
 */
export function renameReferences(
  views: Views,
  writer: Writer,
  table: string,
  from: string,
  to: string,
): void {
  const nodes = views.rowNodes(table, from);
  for (const { entity } of nodes) moveScalars(writer, entity, from, to);
  const holders = new Set<Node>(nodes);
  // What is added to a set while it is gone through is gone through too.
  for (const node of holders)
    for (const parent of node.parents) {
      if (parent instanceof EntityNode) renameInRow(writer, parent, table, from, to);
      else if (parent instanceof ResultNode) renameInResult(writer, parent, table, from, to);
      // Only long lists and what was renamed before stand between an entity and what holds it.
      else holders.add(parent);
      if (parent.movedTo !== undefined) holders.add(parent);
    }
}

function renameInRow(
  writer: Writer,
  { entity, pk }: EntityNode,
  table: string,
  from: string,
  to: string,
): void {
  const row = writer.row(entity.key, pk);
  if (row?.value === undefined) return;
  const value = renamedIn(entity.schema, row.value, table, from, to);
  if (value !== row.value)
    writer.setRow(entity.key, pk, { value: adopt(value, row.value) as EntityValue, meta: row.meta }); // adopt() keeps the type
}

function renameInResult(
  writer: Writer,
  { key, schema }: ResultNode,
  table: string,
  from: string,
  to: string,
): void {
  const result = writer.result(key);
  if (result === undefined) return;
  const value = renamedIn(schema, result.value, table, from, to);
  if (value !== result.value) writer.setResult(key, { ...result, value: adopt(value, result.value) });
}

/** Has an entity's values that depend on args, which are in rows of their own, go on under its new pk. */
function moveScalars(writer: Writer, entity: EntityClass, from: string, to: string): void {
  references(entity.schema, writer.row(entity.key, to)?.value, (scalars, pk) => {
    const row = writer.row(scalars.key, from);
    if (scalars.lens === undefined || pk !== to || row?.value === undefined) return;
    writer.setRow(scalars.key, to, mergeRows(scalars, writer.row(scalars.key, to), row));
    writer.setRow(scalars.key, from, { value: undefined, meta: row.meta, movedTo: to });
  });
}
