import { entitiesOf } from '../entitiesOf.ts';
import { classPlan } from '../entity/classPlan.ts';
import { isEntity, isObjectSchema, isSchemaObject } from '../isEntity.ts';
import type { EntityValue } from '../Meta.ts';
import { references } from '../references.ts';
import type { EntityClass, ObjectSchema, RowSource, Schema } from '../Schema.ts';
import { isPlain } from '../../util/isPlain.ts';

/** What declares the fields of a subject: its class, or the schema of an object within a row. */
export type SubjectSchema = EntityClass | ObjectSchema;

/** A row or object that conditions and orders are evaluated on. */
export interface Subject {
  /** Undefined for an instance or any other object, whose fields are read as they are. */
  readonly schema: SubjectSchema | undefined;
  readonly fields: EntityValue;
}

/** Reads stored rows, and records which related rows were read. */
export interface RowReader {
  readonly source: RowSource;
  readonly depend: (table: string, pk: string) => void;
}

/** The entities, or objects with a schema, that a field's schema declares. */
export interface Relation {
  readonly schema: Schema;
  /** What one of them may be. */
  readonly subjects: readonly SubjectSchema[];
  readonly isList: boolean;
  /** The class of the row that holds the list, where that is a `Collection`. */
  readonly row?: EntityClass | undefined;
}

/** The relation that a field's schema declares: an entity, one of a union, an object, or a list of these; else undefined. */
export function relationOf(schema: Schema): Relation | undefined {
  const single = isObjectSchema(schema) ? [schema] : entitiesOf(schema);
  if (single.length > 0) return { schema, subjects: single, isList: false };
  const member = memberOf(schema);
  const nested = member === undefined ? undefined : relationOf(member);
  return nested === undefined || nested.isList
    ? undefined
    : { schema, subjects: nested.subjects, isList: true, row: rowOf(schema) };
}

/** The schema of the members of a list: `[schema]`, an `ArraySchema`, a `Collection` or `Values`. */
export function memberOf(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema[0] as Schema; // lists have one member schema
  if (!isSchemaObject(schema) || 'derive' in schema || schema.lazyReach !== undefined) return undefined;
  const { schema: inner } = schema as { readonly schema?: Schema };
  // A Collection holds its members by a list of its own.
  return isSchemaObject(inner) && entitiesOf(inner).length === 0 ? memberOf(inner) : inner;
}

function rowOf(schema: Schema): EntityClass | undefined {
  return (schema as { readonly row?: EntityClass }).row; // read by name: only a Collection has it
}

/** Calls `found` with every table and field that determines the entities of a relation. */
export function eachNeeded(
  { subjects, row }: Relation,
  found: (entity: EntityClass, field: string | undefined) => void,
): void {
  if (row !== undefined) found(row, 'members');
  for (const entity of subjects.flatMap(neededBy)) {
    found(entity, undefined);
    eachRequired(entity, found);
  }
}

/** The entities without which a value of a schema is missing. */
function neededBy(schema: Schema): readonly EntityClass[] {
  return isObjectSchema(schema) ? Object.values(schema).flatMap(neededBy) : entitiesOf(schema);
}

/** The stored rows or objects of a relation, in its order, without missing, invalid and incomplete ones. */
export function relatedRows({ schema }: Relation, value: unknown, reader: RowReader): Subject[] {
  const rows: Subject[] = [];
  const find = (of: Schema, stored: unknown): void => {
    const member = memberOf(of);
    if (isObjectSchema(of)) {
      if (isPlain(stored) && isThere(of, stored, reader)) rows.push({ schema: of, fields: stored });
    } else if (isObjectSchema(member) && rowOf(of) === undefined) {
      for (const one of Object.values(Object(stored) as object)) find(member, one);
    } else {
      references(of, stored, (entity, pk) => {
        const fields = relatedRow(entity, pk, reader);
        if (fields === undefined) return;
        if (entity.namedAfter === undefined) rows.push({ schema: entity, fields });
        // The row of a collection holds its members.
        else find(entity.schema['members'], fields['members']);
      });
    }
  };
  find(schema, value);
  return rows;
}

/** The row of a related entity under its current pk; undefined if it is missing or incomplete. */
function relatedRow(entity: EntityClass, named: string, reader: RowReader): EntityValue | undefined {
  const pk = follow(entity, named, reader);
  const row = reader.source.row(entity, pk);
  return row !== undefined && isComplete(entity, row, reader) ? row : undefined;
}

function follow(entity: EntityClass, named: string, { source, depend }: RowReader): string {
  const met = new Set<string>();
  let pk = named;
  for (
    let next: string | undefined = named;
    next !== undefined && !met.has(next);
    next = source.movedTo(entity.key, pk)
  ) {
    pk = next;
    met.add(pk);
    depend(entity.key, pk);
  }
  return pk;
}

const NO_ROWS: ReadonlySet<EntityValue> = new Set();

/**
 * Whether readers see an entity: its class accepts the row, and every required relation is complete. A relation is
 * required if the default of its field is an instance, or an object that contains it.
 *
 * @param above - the rows being checked: a cycle is complete if everything else is
 */
export function isComplete(
  entity: EntityClass,
  row: EntityValue,
  reader: RowReader,
  above: ReadonlySet<EntityValue> = NO_ROWS,
): boolean {
  if (!isValid(entity, row)) return false;
  const required = requiredOf(entity);
  if (required.length === 0 || above.has(row)) return true;
  const entered = new Set(above).add(row);
  return required.every(([field, schema]) => isThere(schema, ownField(row, field), reader, entered));
}

/** Whether a value is not missing: in an object, nothing that it needs may be. */
function isThere(
  schema: Schema,
  value: unknown,
  reader: RowReader,
  above: ReadonlySet<EntityValue> = NO_ROWS,
): boolean {
  if (value === null || value === undefined) return true;
  if (isObjectSchema(schema))
    return (
      isPlain(value) &&
      Object.entries(schema).every(([field, inner]) => isThere(inner, ownField(value, field), reader, above))
    );
  // A value of no type of the union is kept as it arrived.
  let found = !isEntity(schema);
  // Lists leave out their missing members.
  if (entitiesOf(schema).length > 0)
    references(schema, value, (entity, named) => {
      const row = reader.source.row(entity, follow(entity, named, reader));
      found = row !== undefined && isComplete(entity, row, reader, above);
    });
  return found;
}

/** A field of stored data, which may be named like a method of all objects. */
export function ownField(fields: EntityValue, field: string): unknown {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** Whether a class accepts a row. If its `validate` throws, readers of the row get the error, and queries leave it out. */
export function isValid(entity: EntityClass, row: EntityValue): boolean {
  try {
    return !entity.validate(row);
  } catch {
    return false;
  }
}

// Derived from the class alone; weak, so that a class can be collected.
const requirements = new WeakMap<
  EntityClass,
  { readonly schema: unknown; readonly fields: RequiredFields }
>();

type RequiredFields = readonly (readonly [field: string, schema: Schema])[];

/** The relations, and the objects with relations, without which an entity of a class is incomplete. */
function requiredOf(entity: EntityClass): RequiredFields {
  const { schema } = entity;
  let known = requirements.get(entity);
  if (known?.schema !== schema) {
    const { defaults } = classPlan(entity);
    const fields = Object.entries(schema).filter(
      ([field, inner]) => defaults[field] && neededBy(inner).length > 0,
    );
    requirements.set(entity, (known = { schema, fields }));
  }
  return known.fields;
}

/** Calls `found` with every field of it and of related entities that determines whether an entity is complete. */
export function eachRequired(
  entity: EntityClass,
  found: (entity: EntityClass, field: string | undefined) => void,
  seen = new Set<EntityClass>(),
): void {
  if (seen.has(entity)) return;
  seen.add(entity);
  for (const [field, schema] of requiredOf(entity)) {
    found(entity, field);
    for (const related of neededBy(schema)) {
      found(related, undefined);
      eachRequired(related, found, seen);
    }
  }
}
