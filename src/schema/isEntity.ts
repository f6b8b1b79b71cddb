import type { Converter, EntityClass, ObjectSchema, Schema, SchemaObject } from './Schema.ts';

/** Whether a schema is an entity class. */
export function isEntity(schema: Schema): schema is EntityClass {
  return typeof schema === 'function' && 'mergeWithStore' in schema;
}

/** Whether a schema is an object with methods, such as `new Delete(Article)`. */
export function isSchemaObject(schema: Schema): schema is SchemaObject {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    typeof (schema as { normalize?: unknown }).normalize === 'function'
  );
}

/** Whether a schema is a plain object of schemas. */
export function isObjectSchema(schema: Schema): schema is ObjectSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) && !isSchemaObject(schema);
}

/** Whether a schema is a converter function; entity classes are functions too, so check `isEntity` first. */
export function isConverter(schema: Schema): schema is Converter {
  return typeof schema === 'function';
}
