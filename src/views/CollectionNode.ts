import { isEntity } from '../schema/isEntity.ts';
import { MISSING } from '../schema/missing.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { EntityClass } from '../schema/Schema.ts';
import { isMap, type CollectionMembers } from '../schema/collection/CollectionRow.ts';
import type { State } from '../store/State.ts';
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
    const isStored = super.prepare(state, context);
    // Its nodes are released, so they are looked up again when it is restored.
    if (!isStored || this.movedTo !== undefined) this.#list = undefined;
    return isStored;
  }

  protected override shell({ members }: EntityValue): object {
    this.#members = members;
    if (isMap(this.#schema)) return {};
    const member = this.#schema.schema;
    if (!isEntity(member)) return [];
    this.#list ??= new ListMembers(member);
    this.#list.setItems(members as readonly unknown[]); // a list, as CollectionRow.validate() has checked
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
    else if (Array.isArray(this.value)) refillList(this.value, denormalized as readonly unknown[]); // a list, like its schema
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
