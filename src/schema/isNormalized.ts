import { denormalizeValue } from './denormalizeValue.ts';
import { MISSING } from './missing.ts';
import type { DenormalizeVisitor, Schema } from './Schema.ts';

/**
 * Whether a stored value is what its schema makes of a response, with pks in place of entities. What another class
 * stored of it, which declares no such schema, may be the entities' own data.
 */
export function isNormalized(schema: Schema, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  let isInline = false;
  const visitor: DenormalizeVisitor = {
    args: [],
    current: undefined,
    visit: (nested, input) => denormalizeValue(nested, input, visitor),
    entity: () => visitor,
    list: (member, items) => items.map((item) => denormalizeValue(member, item, visitor)),
    row: () => undefined,
    rows: () => [],
    afterwards: () => {
      throw new Error();
    },
    foundInline: () => {
      isInline = true;
    },
  };
  try {
    return denormalizeValue(schema, value, visitor) !== MISSING && !isInline;
  } catch {
    // A converter, or what a function makes of whole entities, says nothing of the form.
    return !isInline;
  }
}
