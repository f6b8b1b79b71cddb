import { denormalizeValue } from './denormalizeValue.ts';
import { MISSING } from './missing.ts';
import type { DenormalizeVisitor, Schema } from './Schema.ts';

/**
 * Whether a stored value has the form that its schema gives a response, with pks in place of entities. A value stored
 * by another class, which declares no such schema, may contain the entities' own data.
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
    deferredPass: unknowable,
    observer: unknowable,
    part: unknowable,
    reportInline: () => {
      isInline = true;
    },
  };
  try {
    return denormalizeValue(schema, value, visitor) !== MISSING && !isInline;
  } catch {
    // A converter, or a query of whole entities, does not determine the form.
    return !isInline;
  }
}

function unknowable(): never {
  throw new Error();
}
