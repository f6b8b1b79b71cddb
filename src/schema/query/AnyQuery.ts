import type { Schema, SchemaObject } from '../Schema.ts';

/** Any `Query`. */
export interface AnyQuery extends SchemaObject {
  readonly schema: Schema;
  readonly derive: (data: never, ...args: never) => unknown;
}
