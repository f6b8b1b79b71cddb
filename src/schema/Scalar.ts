import { equal } from '../util/adopt.ts';
import { HoldfastError } from '../util/errors.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import { warnOnce } from '../util/warnOnce.ts';
import { Entity } from './entity/Entity.ts';
import type { EntityValue, Meta } from './Meta.ts';
import { MISSING } from './missing.ts';
import { isOlder } from './order.ts';
import { toPk } from './entity/pk.ts';
import type {
  DenormalizeVisitor,
  EntityClass,
  Lens,
  NormalizeVisitor,
  ReferenceVisitor,
  SchemaObject,
} from './Schema.ts';

/** The options of a `Scalar`. */
export interface ScalarOptions {
  /** Selects the lens value, such as a currency, from the args of an endpoint or query. */
  // oxlint-disable-next-line typescript/no-explicit-any -- apps write `(args) => args[0]?.currency`
  lens(args: readonly any[]): string | number | null | undefined;
  /** The name of this kind of lens: the values of an entity are stored in a table named after it and the entity. */
  readonly key: string;
  /** The entity that the values belong to, for responses that contain values only. */
  readonly entity?: EntityClass;
}

/** The stored form of a value: with the field in a row, without it in a result. */
type Reference = readonly [pk: string, entityKey: string, field?: string];

/**
 * The values of one entity for one lens value. `at` is set if they were not written together with the row's own
 * metadata.
 */
interface Cell {
  readonly values: EntityValue;
  readonly at?: At;
}

/** The part of `Meta` that determines the order of writes. */
type At = readonly [order: number, answered: number];

/** A row of cells, by lens value. */
type Cells = Readonly<Record<string, Cell>>;

/**
 * Fields of an entity whose values depend on the args of an endpoint, such as a price in the requested currency. Each
 * reader gets the values for its own args: readers of the same lens value share one object, readers of different lens
 * values have different ones. A value that was not loaded for a lens value reads as undefined.
 *
 * With `entity`, it is also the schema of responses that contain only these fields: `new Values(scalar)` by pk, or
 * `[scalar]` with the pk in each member.
 *
 * @example
 * const byCurrency = new Scalar({
 *   lens: (args) => args[0]?.currency,
 *   key: 'currency',
 * });
 * class Product extends Entity {
 *   id = '';
 *   name = '';
 *   price = 0;
 *   static override key = 'Product';
 *   static override schema = { price: byCurrency };
 * }
 * const euros = useQuery(Product, { id: '1', currency: 'EUR' })?.price;
 */
export class Scalar implements SchemaObject<EntityValue> {
  declare readonly output?: EntityValue;
  readonly lens: Lens;
  readonly key: string;
  readonly entity: EntityClass | undefined;
  /** The classes of its rows, by the entity's key. */
  readonly #classes = new Map<string, EntityClass>();

  constructor(options: ScalarOptions) {
    this.lens = (args) => options.lens(args);
    this.key = options.key;
    this.entity = options.entity;
  }

  /**
   * The pk of the entity for values that arrive without it. Default: their key in a map, or else the result of the
   * entity's own `pk()`.
   */
  entityPk(
    input: object,
    parent: unknown,
    key: string | undefined,
    args: readonly unknown[],
  ): string | number | null | undefined {
    return key ?? this.entity?.pk(input, parent, key, args);
  }

  normalizeField(
    value: unknown,
    field: string,
    { key, name }: EntityClass,
    pk: string,
    visitor: NormalizeVisitor,
  ): Reference {
    const reference = [pk, key, field] as const;
    // A row that a recipe changes contains the references that it was read with.
    if (value !== undefined && !equal(value, reference))
      this.#put(visitor, key, pk, { [field]: value }, `${name}.${field}`);
    return reference;
  }

  normalize(input: unknown, parent: unknown, _key: string | undefined, visitor: NormalizeVisitor): unknown {
    const { entity } = this;
    if (entity === undefined)
      throw new HoldfastError(
        'HF_SCALAR',
        `The Scalar "${this.key}" has values outside of an entity's field, which belong to no known entity; set its option entity`,
      );
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return visitor.mismatch(`an object of values (${entity.name})`, input);
    const { step } = visitor;
    const pk = toPk(this.entityPk(input, parent, typeof step === 'string' ? step : undefined, visitor.args));
    if (pk === undefined) return visitor.mismatch(`an object with the primary key of ${entity.name}`, input);
    this.#put(visitor, entity.key, pk, input as EntityValue, entity.name); // an object, checked above
    return [pk, entity.key];
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    if (!this.#isReference(input)) return input;
    const [pk, entityKey, field] = input;
    const lens = toPk(this.lens(visitor.args));
    const row = visitor.row(this.#rows(entityKey), pk);
    const values = lens === undefined ? undefined : cellOf(row, lens)?.values;
    if (field === undefined) return values ?? MISSING;
    return values !== undefined && Object.hasOwn(values, field) ? values[field] : undefined;
  }

  queryKey(): undefined {
    return undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    if (this.#isReference(input)) visitor.found(this.#rows(input[1]), input[0]);
  }

  shape(): unknown {
    return { scalar: this.key };
  }

  entities(): readonly EntityClass[] {
    return this.entity === undefined ? [] : [this.#rows(this.entity.key)];
  }

  #put(visitor: NormalizeVisitor, entityKey: string, pk: string, values: EntityValue, whose: string): void {
    const lens = toPk(this.lens(visitor.args));
    if (lens !== undefined) visitor.put(this.#rows(entityKey), pk, Object.fromEntries([[lens, { values }]]));
    else if (process.env.NODE_ENV !== 'production')
      warnOnce(
        this,
        'HF_SCALAR',
        `${whose} arrived for args that select no "${this.key}", and so was not stored; pass such an arg, or return a default in lens()`,
        whose,
      );
  }

  #rows(entityKey: string): EntityClass {
    return getOrInsert(this.#classes, entityKey, () => cellsClass(`${entityKey}@${this.key}`, this.lens));
  }

  #isReference(value: unknown): value is Reference {
    return (
      Array.isArray(value) &&
      (value.length === 2 || value.length === 3) &&
      value.every((part) => typeof part === 'string')
    );
  }
}

/** The class for the rows that hold the values of one entity, one cell for each lens value. */
function cellsClass(name: string, lens: Lens): EntityClass {
  const Rows = class extends Entity {
    static override key = name;
    static readonly lens = lens;

    static isEqualForLens(before: EntityValue, after: EntityValue, args: readonly unknown[]): boolean {
      const selected = toPk(lens(args)) ?? '';
      return cellOf(before, selected)?.values === cellOf(after, selected)?.values;
    }

    /** Within one response, the later value wins. */
    static override merge(existing: EntityValue, incoming: EntityValue): EntityValue {
      const cells = Object.entries(incoming as Cells).map(([selected, { values }]) => {
        const before = cellOf(existing, selected);
        return [selected, { ...before, values: super.merge(before?.values ?? {}, values) }] as const;
      });
      return { ...existing, ...Object.fromEntries(cells) };
    }

    /** Each lens value is requested separately, so each has its own order. */
    static override mergeWithStore(
      existingMeta: Meta,
      incomingMeta: Meta,
      existing: EntityValue,
      incoming: EntityValue,
    ): EntityValue {
      const rowMeta = isOlder(incomingMeta, existingMeta) ? existingMeta : incomingMeta;
      const merged = [...new Set([...Object.keys(existing), ...Object.keys(incoming)])].map((selected) => {
        const [before, after] = [cellOf(existing, selected), cellOf(incoming, selected)];
        const [beforeMeta, afterMeta] = [metaOf(before, existingMeta), metaOf(after, incomingMeta)];
        const isLate = before !== undefined && (after === undefined || isOlder(afterMeta, beforeMeta));
        const [values, over] = [before?.values ?? {}, after?.values ?? {}];
        const { order, answered } = isLate ? beforeMeta : afterMeta;
        return [
          selected,
          {
            values: isLate ? super.merge(over, values) : super.merge(values, over),
            ...(order !== rowMeta.order || answered !== rowMeta.answered ? { at: [order, answered] } : {}),
          },
        ] as const;
      });
      return Object.fromEntries(merged);
    }
  };
  return Object.defineProperty(Rows, 'name', { value: name });
}

function cellOf(row: EntityValue | undefined, selected: string): Cell | undefined {
  return row !== undefined && Object.hasOwn(row, selected) ? (row[selected] as Cell) : undefined; // created by #put()
}

function metaOf(cell: Cell | undefined, rowMeta: Meta): Meta {
  return cell?.at === undefined ? rowMeta : { ...rowMeta, order: cell.at[0], answered: cell.at[1] };
}
