import { references } from './references.ts';
import type {
  Addition,
  ChangeMembers,
  DenormalizeVisitor,
  EntityClass,
  NormalizeVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
  Stored,
} from './Schema.ts';
import type { CollectionMembers } from './CollectionRow.ts';

/** Says how a response changes stored collections. Called with what stands there before it is written. */
export type PlanChange = (
  args: readonly unknown[],
  given: unknown,
  stored: Stored,
) => ChangeMembers | Addition;

/** One given member, where it is not a list or map that was given. */
interface Single {
  readonly member: unknown;
}

/**
 * Changes the stored collections that what arrives belongs in: what `push` and the like of a `Collection` are. Reads
 * as what arrived.
 */
export class CollectionChange<Output> implements SchemaObject<Output> {
  declare readonly output?: Output;
  readonly #row: EntityClass;
  /** What arrives: a map, or else one member or a list of them. */
  readonly #map: Schema | undefined;
  readonly #member: Schema;
  readonly #plan: PlanChange;

  /** @param takesMap - whether what arrives is a map rather than members */
  constructor(row: EntityClass, members: CollectionMembers, takesMap: boolean, plan: PlanChange) {
    this.#row = row;
    this.#member = members.schema;
    this.#map = takesMap ? members : undefined;
    this.#plan = plan;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    const isSingle = this.#map === undefined && !Array.isArray(input);
    const given = visitor.visit(this.#map ?? [this.#member], isSingle ? [input] : input, parent, key);
    const { args } = visitor;
    visitor.update({ rows: this.#row, begin: (stored) => this.#plan(args, given, stored) });
    return isSingle ? ({ member: (given as readonly unknown[])[0] } satisfies Single) : given; // [input] gave a list
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    return this.#visit(input, visitor);
  }

  queryKey(): undefined {
    return undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    this.#visit(input, visitor);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return { change: describe(this.#map ?? this.#member) ?? null };
  }

  /** Visits what has arrived by the schema of it. */
  #visit(input: unknown, visitor: { visit(schema: Schema, input: unknown): unknown }): unknown {
    if (this.#map !== undefined) return visitor.visit(this.#map, input);
    return isSingleMember(input)
      ? visitor.visit(this.#member, input.member)
      : visitor.visit([this.#member], input);
  }
}

function isSingleMember(input: unknown): input is Single {
  return typeof input === 'object' && input !== null && !Array.isArray(input) && 'member' in input;
}

/** The row that a member names. */
export function namedRow(
  member: Schema,
  reference: unknown,
): { readonly entity: EntityClass; readonly pk: string } | undefined {
  let named: { readonly entity: EntityClass; readonly pk: string } | undefined;
  references(member, reference, (entity, pk) => (named ??= { entity, pk }));
  return named;
}
