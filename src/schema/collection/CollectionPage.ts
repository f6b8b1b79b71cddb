import type { ChangedCollection } from './CollectionChange.ts';
import { isMap } from './CollectionRow.ts';
import { asList, withAssigned } from './members.ts';
import type {
  MembersChange,
  Denormalize,
  DenormalizeVisitor,
  EntityClass,
  NormalizeVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from '../Schema.ts';

/** The args of the whole list, given those of one of its pages. */
export type RemoveCursor = (...args: readonly unknown[]) => readonly unknown[];

/** The part of a collection that a page needs. */
interface PagedCollection extends ChangedCollection, SchemaObject {
  pk(parent: unknown, key: string | undefined, args: readonly unknown[], isInEntity?: boolean): string;
}

/** A further page of a collection: the response is appended to the whole list, and reads as the whole list. */
export class CollectionPage<S extends Schema> implements SchemaObject<Denormalize<S>> {
  declare readonly output?: Denormalize<S>;
  readonly #collection: PagedCollection;
  readonly #removeCursor: RemoveCursor;

  constructor(collection: PagedCollection, removeCursor: RemoveCursor) {
    this.#collection = collection;
    this.#removeCursor = removeCursor;
  }

  /** The class of the rows of its list. */
  get row(): EntityClass {
    return this.#collection.row;
  }

  normalize(input: unknown, parent: unknown, key: string | undefined, visitor: NormalizeVisitor): unknown {
    const { schema, row } = this.#collection;
    const given = visitor.visit(schema, input, parent, key);
    const pk = this.#collection.pk(parent, key, this.#removeCursor(...visitor.args), visitor.isInEntity);
    const change: MembersChange = isMap(schema)
      ? { items: [given], how: (members) => withAssigned(members, given), where: () => true }
      : { items: asList(given), how: 'push', where: () => true };
    visitor.update({ rows: row, pk, prepare: () => change });
    return pk;
  }

  denormalize(input: unknown, visitor: DenormalizeVisitor): unknown {
    return this.#collection.denormalize(input, visitor);
  }

  /** Only a response says whether this page exists. */
  queryKey(): undefined {
    return undefined;
  }

  references(input: unknown, visitor: ReferenceVisitor): void {
    this.#collection.references(input, visitor);
  }

  shape(describe: (schema: Schema) => unknown): unknown {
    return describe(this.#collection);
  }
}
