import type { Meta } from '../schema/Meta.ts';
import type { Schema } from '../schema/Schema.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import type { StoredResult } from './State.ts';

/** The result of a response that was normalized by a schema. No answer at all is stored as null: it is data too. */
export function newResult(schema: Schema, normalized: unknown, meta: Meta): StoredResult {
  const value = normalized ?? null;
  const shape = shapeOf(schema);
  return shape === '' ? { value, meta } : { value, meta, shape };
}
