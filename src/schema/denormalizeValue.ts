import { describe, HoldfastError } from '../util/errors.ts';
import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import { MISSING } from './missing.ts';
import type { DenormalizeVisitor, ObjectSchema, Schema } from './Schema.ts';

/**
 * Denormalizes one value by its schema; `MISSING` if a required part is missing or the value was stored in another
 * shape. Entities and lists come from the visitor, so this function neither recurses into them nor caches.
 */
export function denormalizeValue(schema: Schema, input: unknown, visitor: DenormalizeVisitor): unknown {
  if (input === null || input === undefined) return input;
  if (isEntity(schema)) {
    if (typeof input === 'string') return visitor.entity(schema, input);
    visitor.reportInline?.();
    return MISSING;
  }
  if (isConverter(schema)) return convert(schema, input, visitor);
  if (typeof schema !== 'object' || schema === null) return input;
  if (Array.isArray(schema)) return Array.isArray(input) ? visitor.list(schema[0] as Schema, input) : MISSING; // lists have one member schema
  if (isSchemaObject(schema)) return schema.denormalize(input, visitor);
  return denormalizeObject(schema as ObjectSchema, input, visitor); // the remaining type of the union
}

function convert(converter: (value: never) => unknown, input: unknown, visitor: DenormalizeVisitor): unknown {
  if (converter === Date) return input instanceof Date ? input : new Date(input as string | number); // what Date takes
  try {
    return converter(input as never); // the converter's own contract defines its input
  } catch (cause) {
    throw new HoldfastError(
      'HF_CONVERTER',
      `The converter ${converter.name || 'function'} threw for ${describe(input)} in ${visitor.label ?? 'a value'}; make it accept all values that the server sends`,
      { cause },
    );
  }
}

function denormalizeObject(schema: ObjectSchema, input: unknown, visitor: DenormalizeVisitor): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return MISSING;
  const denormalized = { ...input } as Record<string, unknown>; // a plain object, checked above
  for (const field of Object.keys(schema)) {
    if (!Object.hasOwn(denormalized, field)) continue;
    const value = visitor.visit(schema[field], denormalized[field]);
    if (value === MISSING) return MISSING;
    denormalized[field] = value;
  }
  return denormalized;
}
