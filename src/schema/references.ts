import type { EntityClass, ReferenceVisitor, Schema } from './Schema.ts';
import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';

/**
 * Calls `found` for each row that a normalized value refers to directly, without following the rows themselves. For
 * an entity's own row, pass `entity.schema` as the schema.
 */
export function references(
  schema: Schema,
  value: unknown,
  found: (entity: EntityClass, pk: string) => void,
): void {
  const visitor: ReferenceVisitor = {
    found,
    visit(nested, input) {
      if (input === null || input === undefined) return;
      if (isEntity(nested)) {
        if (typeof input === 'string') found(nested, input);
      } else if (isConverter(nested) || typeof nested !== 'object' || nested === null) {
        return;
      } else if (Array.isArray(nested)) {
        if (Array.isArray(input)) for (const item of input) visitor.visit(nested[0] as Schema, item); // lists have one member schema
      } else if (isSchemaObject(nested)) {
        nested.references(input, visitor);
      } else if (typeof input === 'object') {
        for (const [field, schema] of Object.entries(nested)) {
          if (Object.hasOwn(input, field)) visitor.visit(schema, (input as Record<string, unknown>)[field]); // checked: an own field
        }
      }
    },
  };
  visitor.visit(schema, value);
}
