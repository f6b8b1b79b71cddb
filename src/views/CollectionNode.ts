import { isEntity } from '../schema/isEntity.ts';
import { MISSING } from '../schema/missing.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { EntityClass } from '../schema/Schema.ts';
import { isMap, type CollectionMembers } from '../schema/collection/CollectionRow.ts';
import { withCurrentPks } from '../store/renames.ts';
import { rowOf, type State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import { ListMembers } from './ListNode.ts';
import type { DenormalizeContext, Node } from './Node.ts';

/** A stored collection: one list or map, shared by all its readers. */
export class CollectionNode extends EntityNode {
  readonly #schema: CollectionMembers;
  /** For a list of one entity: its members, so that an update costs only what changed. */
  #list: ListMembers | undefined;
  #members: unknown;

  constructor(row: EntityClass, pk: string) {
    super(row, pk);
    this.#schema = row.schema['members'] as CollectionMembers; // as collectionRow() makes it
  }

  override managesDeps(): boolean {
    return this.#list !== undefined;
  }

  override childMarked(child: Node): void {
    this.#list?.mark(child);
  }

  override prepare(state: State, context: DenormalizeContext): boolean {
    const row = rowOf(state, this.entity.key, this.pk);
    if (row?.movedTo !== undefined) {
      this.#list = undefined;
      return this.follow(row.movedTo, context);
    }
    this.stay();
    const value = row && (withCurrentPks(state, this.entity.schema, row) as EntityValue | undefined); // renaming keeps the type
    this.#members = value?.['members'];
    const readsMap = isMap(this.#schema);
    if (
      Array.isArray(this.#members) === readsMap ||
      typeof this.#members !== 'object' ||
      this.#members === null
    ) {
      // Its nodes are released, so they are looked up again when it is restored.
      this.#list = undefined;
      return this.markMissing(
        row === undefined ? 'it is not stored' : 'the stored value is not such a collection',
      );
    }
    this.reason = undefined;
    this.value = readsMap ? {} : this.#listShell();
    return true;
  }

  #listShell(): unknown[] {
    const member = this.#schema.schema;
    if (!isEntity(member)) return [];
    this.#list ??= new ListMembers(member);
    this.#list.setItems(this.#members as readonly unknown[]); // a list, checked by prepare()
    return this.#list.shell(this.value);
  }

  override fill(context: DenormalizeContext): void {
    if (this.movedTo !== undefined) {
      super.fill(context);
      return;
    }
    if (Array.isArray(this.value) && this.#list !== undefined) {
      this.#list.fill(this, this.value, context);
      return;
    }
    // Parents already hold the list or map that prepare() created, so it is filled in place.
    const denormalized = context.visit(this.#schema, this.#members);
    if (denormalized === MISSING) this.markMissing('its members cannot be denormalized');
    else if (Array.isArray(this.value))
      refillList(this.value, denormalized as readonly unknown[]); // a list, like its schema
    else refill(this.value as object, denormalized as object); // a map, likewise
  }
}

function refillList(list: unknown[], members: readonly unknown[]): void {
  list.length = 0;
  for (const member of members) list.push(member);
}

function refill(map: object, members: object): void {
  for (const name of Object.keys(map)) Reflect.deleteProperty(map, name);
  for (const [name, value] of Object.entries(members)) {
    // Assigning `__proto__` would set the prototype.
    Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
  }
}
