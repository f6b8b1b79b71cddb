import { HoldfastError } from '../../util/errors.ts';
import { isPlain } from '../../util/isPlain.ts';
import { AS_IS, classPlan, REFUSED } from '../entity/classPlan.ts';
import { denormalizeValue } from '../denormalizeValue.ts';
import { isConverter, isEntity, isSchemaObject } from '../isEntity.ts';
import type { EntityValue } from '../Meta.ts';
import type { DenormalizeVisitor, EntityClass, Schema } from '../Schema.ts';
import {
  memberOf,
  ownField,
  relatedRows,
  relationOf,
  type Relation,
  type RowReader,
  type Subject,
  type SubjectSchema,
} from './relations.ts';

/**
 * Reads a field as readers of the entity see it, with its default and converter, but without denormalizing the entity.
 * A value for which the converter throws is undefined. Of a relation it gives the subject, or the list of subjects, that are related.
 */
export type ReadField = (subject: Subject, reader: RowReader) => unknown;

/** A field that conditions and orders can read. */
export interface Field {
  readonly read: ReadField;
  /** `read` for a stored row of the one class, where the field is no relation. */
  readonly readStored: (fields: EntityValue) => unknown;
  /** The relation that the field is; undefined for plain values. */
  readonly relation: Relation | undefined;
  /** Whether its default is a text, number, bigint or boolean, so that conditions on it are operators. */
  readonly isPrimitive: boolean;
}

/** Converters receive plain values only, and use no visitor. */
const NO_VISITOR = {} as DenormalizeVisitor;

/**
 * How a field is read.
 *
 * @param subjects - what subjects may be; none for objects without a schema
 * @throws HoldfastError `HF_NOT_QUERYABLE` when a class computes the field, or its value depends on the args of a read
 */
export function fieldOf(subjects: readonly SubjectSchema[], field: string): Field {
  const bySchema = new Map(subjects.map((subject) => [subject, fieldOfSubject(subject, field)]));
  const [first] = bySchema.values();
  return {
    relation: first?.relation,
    isPrimitive: first?.isPrimitive === true,
    readStored: first?.readStored ?? ((fields) => fields[field]),
    read: (subject, reader) => {
      const { schema } = subject;
      const of = bySchema.size === 1 ? first : schema && bySchema.get(schema);
      if (of !== undefined && schema !== undefined) return of.read(subject, reader);
      const value = ownField(subject.fields, field);
      return first?.relation === undefined ? value : asSubject(value);
    },
  };
}

function fieldOfSubject(subject: SubjectSchema, field: string): Field {
  const schema = isEntity(subject) ? schemaOf(subject, field) : (ownField(subject, field) as Schema);
  const relation = relationOf(schema);
  const initial = isEntity(subject) ? classPlan(subject).defaults[field] : undefined;
  const fallback = relation === undefined ? initial : asSubject(initial);
  const isPrimitive = fallback !== undefined && Object(fallback) !== fallback && fallback !== null;
  const member = memberOf(schema);
  const convert = isConvertible(schema) || isConvertible(member);
  const readStored = (fields: EntityValue): unknown => {
    const value = fields[field];
    // The common case: the row has the field.
    if (value === undefined) return Object.hasOwn(fields, field) ? undefined : fallback;
    if (value === null || !convert) return value;
    try {
      return isConvertible(schema)
        ? denormalizeValue(schema, value, NO_VISITOR)
        : Array.isArray(value)
          ? value.map((one: unknown) => denormalizeValue(member, one, NO_VISITOR))
          : value;
    } catch {
      // Readers of the row get the error; a change of it must not fail because of one query.
      return undefined;
    }
  };
  if (relation === undefined)
    return { relation, isPrimitive, readStored, read: ({ fields }) => readStored(fields) };
  return {
    relation,
    isPrimitive,
    readStored,
    read({ fields }, reader) {
      const value = readStored(fields);
      if (value === fallback || value === null || value === undefined) return value;
      const rows = relatedRows(relation, value, reader);
      return relation.isList ? rows : rows[0];
    },
  };
}

/** Whether a schema converts the value itself, rather than referring to rows. */
function isConvertible(schema: Schema): boolean {
  return isConverter(schema) && !isEntity(schema);
}

/** The schema that a class declares for a field; undefined where it is a plain value. */
function schemaOf(entity: EntityClass, field: string): Schema {
  const use = classPlan(entity).use(field);
  const isScalar = typeof use === 'object' && isSchemaObject(use.schema) && use.schema.lens !== undefined;
  if (use !== REFUSED && !isScalar) return use === AS_IS ? undefined : use.schema;
  throw new HoldfastError(
    'HF_NOT_QUERYABLE',
    `${entity.name}.${field} is ${isScalar ? 'a Scalar, which depends on the args of a read' : 'computed by the class'}; \`where\` and \`orderBy\` read stored fields only, so test it in \`filter\``,
  );
}

/** Objects without a schema, and instances such as defaults, are read as they are. */
export function asSubject(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asSubject);
  return { schema: undefined, fields: value as EntityValue } satisfies Subject; // an instance, or a plain object
}

/** The comparable form of a value: dates and other value objects by their primitive. */
export function comparable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value) || isPlain(value)) return value;
  try {
    const primitive: unknown = value.valueOf();
    if (typeof primitive !== 'object') return primitive;
  } catch {
    // Temporal objects throw; their text sorts by time.
  }
  // oxlint-disable-next-line typescript/no-base-to-string -- a value object
  return String(value);
}
