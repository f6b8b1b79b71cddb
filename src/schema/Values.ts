import { isOpaque } from '../util/isPlain.ts';
import { MISSING } from './missing.ts';
import type {
  Denormalize,
  DenormalizeVisitor,
  NormalizeVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from './Schema.ts';
import { checkDefined } from './checkSchema.ts';

/**
 * A map from any key to values of one schema. Members that are missing, null or undefined are left out when reading.
 *
 * @example
 * const getPrices = new RestEndpoint({
 *   path: '/prices',
 *   schema: new Values(Price),
 * });
 * (await controller.fetch(getPrices))['ACME']?.amount;
 */
export class Values<S extends Schema> implements SchemaObject<Record<string, Denormalize<S>>> {
  readonly isSelfIdentifying = true;
  declare readonly output?: Record<string, Denormalize<S>>;
  /** The schema of each value. */
  readonly schema: S;

  /** @param schema - the schema of each value: an entity, a union, or any other */
  constructor(schema: S) {
    if (process.env.NODE_ENV !== 'production') checkDefined(schema, 'The schema of new Values()');
    this.schema = schema;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    if (!isMap(input) || isOpaque(input)) visitor.mismatch('an object of values', input);
    // Entries define properties, so that `__proto__` is a key like any other.
    return Object.fromEntries(
      Object.entries(input).map(([name, value]) => [
        name,
        // Values of a whole response have no field but their own key in the map.
        visitor.member(this.schema, value, parent, key ?? name, name),
      ]),
    );
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    if (!isMap(input)) return MISSING;
    const denormalized: [string, unknown][] = [];
    for (const [name, item] of Object.entries(input)) {
      const value = visitor.visit(this.schema, item);
      if (value !== MISSING && value !== null && value !== undefined) denormalized.push([name, value]);
    }
    return Object.fromEntries(denormalized);
  }

  queryKey(): undefined {
    return undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    if (isMap(input)) for (const value of Object.values(input)) visitor.visit(this.schema, value);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return { values: describe(this.schema) ?? null };
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
