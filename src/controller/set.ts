import { ArraySchema } from '../schema/ArraySchema.ts';
import { CollectionChange } from '../schema/CollectionChange.ts';
import { isEntity } from '../schema/isEntity.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import { normalize, normalizeRow, type Normalized } from '../schema/normalize.ts';
import { originOf } from '../schema/Origin.ts';
import { queryKey } from '../schema/queryKey.ts';
import type { EntityClass, Schema } from '../schema/Schema.ts';
import { Union } from '../schema/Union.ts';
import { Values } from '../schema/Values.ts';
import type { Action } from '../store/Commit.ts';
import { currentPk, rowOf, type StoredRow } from '../store/State.ts';
import { produceValue, type Writer } from '../store/transaction.ts';
import { writeNormalized } from '../store/writeEntity.ts';
import { adopt } from '../util/adopt.ts';
import { describe, HoldfastError } from '../util/errors.ts';
import type { Core } from './Core.ts';
import { readQueryable } from './reading.ts';
import { saidNow } from './storing.ts';

/** Makes the new members of a collection of the present ones. */
type Update = (present: unknown) => unknown;

/** Merges fields into entities, has a recipe change a row, or changes what collections hold. */
export function set(core: Core, queryable: Schema, args: readonly unknown[], value: unknown): void {
  if (isEntity(queryable)) setEntity(core, queryable, args, value);
  else if (isSeveral(queryable)) setSeveral(core, queryable, args, value);
  else setCollection(core, queryable, args, value);
}

/** Whether a schema names what it changes by the value alone. */
function isSeveral(schema: Schema): boolean {
  return (
    Array.isArray(schema) ||
    schema instanceof ArraySchema ||
    schema instanceof Values ||
    schema instanceof Union ||
    schema instanceof CollectionChange
  );
}

function setSeveral(core: Core, schema: Schema, args: readonly unknown[], value: unknown): void {
  // The value counts like the body of a mutation: its fields say where it belongs.
  const said = schema instanceof CollectionChange ? [...args, value] : args;
  const normalized = normalize(schema, value, said, 'controller.set()', undefined, core.registry);
  for (const { rows } of normalized.updates) core.registry.add(rows);
  write(core, normalized, { type: 'set', args });
}

function setCollection(core: Core, schema: Schema, args: readonly unknown[], value: unknown): void {
  const asked = queryKey(schema, args);
  const members: unknown =
    typeof value === 'function' ? (value as Update)(readQueryable(core.views, schema, args)) : value; // typed by set()
  const normalized = normalize(schema, members, args, 'controller.set()', undefined, core.registry);
  if (typeof asked !== 'string' || normalized.result !== asked)
    throw new HoldfastError(
      'HF_NOT_QUERYABLE',
      'controller.set() takes an entity class or a Collection with args that name it, or a list, map or union of entities; for an endpoint, use setResponse()',
    );
  write(core, normalized, { type: 'set', args });
}

function setEntity(core: Core, entity: EntityClass, args: readonly unknown[], value: unknown): void {
  const named = entity.queryKey(args, core.views);
  if (named === undefined)
    throw new HoldfastError(
      'HF_NOT_QUERYABLE',
      `controller.set() of ${nameOf(entity, named)}: its args name none; pass what its pk() is made of`,
    );
  // What says itself that it has a former pk is another entity, which has it now.
  const isOwn =
    typeof value === 'object' && value !== null && entity.pk(value, undefined, undefined, args) === named;
  const at = (former: string): StoredRow | undefined => rowOf(core.store.base, entity.key, former);
  const pk = isOwn ? named : currentPk(at, core.aliases.pk(named));
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Array.isArray(value))
    throw new HoldfastError(
      'HF_SHAPE',
      `controller.set() of ${nameOf(entity, pk)}: it was given ${describe(value)}; pass fields or a recipe`,
    );
  const action: Action = { type: 'set', name: entity.name, args };
  if (typeof value === 'function')
    change(core, entity, pk, args, value as (draft: object) => unknown, action); // narrowed by typeof
  else merge(core, entity, pk, args, value, action);
}

function merge(
  core: Core,
  entity: EntityClass,
  pk: string,
  args: readonly unknown[],
  value: object,
  action: Action,
): void {
  const isStored = rowOf(core.store.base, entity.key, pk)?.value !== undefined;
  // A stored row has the fields that name it already.
  const input =
    isStored && entity.pk(value, undefined, undefined, args) === undefined
      ? value
      : identified(entity, pk, args, value);
  const source = `controller.set(${entity.name})`;
  write(core, normalize(entity, input, args, source, { pk }, core.registry), action);
}

function change(
  core: Core,
  entity: EntityClass,
  pk: string,
  args: readonly unknown[],
  recipe: (draft: object) => unknown,
  action: Action,
): void {
  const stored = rowOf(core.store.base, entity.key, pk)?.value;
  if (stored === undefined)
    throw new HoldfastError(
      'HF_ROW_MISSING',
      `controller.set() of ${nameOf(entity, pk)}: it is not stored; pass a value instead of a recipe`,
    );
  const changed = produceValue(stored, recipe);
  if (changed === stored) return;
  if (typeof changed !== 'object' || changed === null || Array.isArray(changed))
    throw new HoldfastError(
      'HF_SHAPE',
      `controller.set() of ${nameOf(entity, pk)}: the recipe returned ${describe(changed)}; change the draft or return a row`,
    );
  const row = { ...changed } as Record<string, unknown>; // a plain object, checked above
  const entities = normalizeRow(entity, pk, row, args, core.registry);
  const named = entity.pk(row, undefined, undefined, args);
  if (named !== entity.pk(stored, undefined, undefined, args))
    throw new HoldfastError(
      'HF_NOT_QUERYABLE',
      `controller.set() of ${nameOf(entity, pk)}: the recipe made it ${JSON.stringify(named)}; leave its pk`,
    );
  write(core, { entities, updates: [] }, action, (writer, meta) => {
    // The recipe saw the whole row, so what it left out is gone.
    writer.setRow(entity.key, pk, { value: adopt(row, stored) as EntityValue, meta }); // adopt() keeps the type
  });
}

/** Writes entities and changes of collections as if a mutation had brought them now. */
function write(
  core: Core,
  normalized: Pick<Normalized, 'entities' | 'updates'>,
  action: Action,
  then?: (writer: Writer, meta: Meta) => void,
): void {
  core.registry.addAll(normalized.entities);
  const meta = saidNow(core, true, core.dataLength());
  core.store.commit(
    (writer) => {
      writeNormalized(writer, normalized, meta, core.keepsInline);
      then?.(writer, meta);
    },
    { action, origin: 'app' },
  );
}

/**
 * The value with what names the entity: where it does not say so itself, the args do.
 *
 * @throws HoldfastError `HF_NOT_QUERYABLE` when value and args name different entities
 */
function identified(entity: EntityClass, pk: string, args: readonly unknown[], value: object): object {
  if (originOf(value) !== undefined) return value;
  const own = entity.pk(value, undefined, undefined, args);
  if (own === pk) return value;
  const [named] = args;
  if (own === undefined || typeof named === 'object') {
    const completed = typeof named === 'object' ? { ...named, ...value } : { id: named, ...value };
    // The args may only have said in part what the value says in full, such as one half of a composite pk.
    if (entity.pk(completed, undefined, undefined, args) === pk) return completed;
    if (own === undefined) return value;
  }
  throw new HoldfastError(
    'HF_NOT_QUERYABLE',
    `controller.set() of ${nameOf(entity, pk)}: the value is ${JSON.stringify(own)}; args and value must agree`,
  );
}

function nameOf(entity: EntityClass, pk: string | undefined): string {
  return pk === undefined ? entity.name : `${entity.name} ${JSON.stringify(pk)}`;
}
