import type { Meta } from '../schema/Meta.ts';
import type { Schema } from '../schema/Schema.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import type { StoredResult } from './State.ts';

/** The result to store for a normalized response. An absent response is stored as null, which is data too. */
export function newResult(schema: Schema, normalized: unknown, meta: Meta): StoredResult {
  const value = normalized ?? null;
  const shape = shapeOf(schema);
  return shape === '' ? { value, meta } : { value, meta, shape };
}
