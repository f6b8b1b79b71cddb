import { isEntity } from '../schema/isEntity.ts';
import { MISSING } from '../schema/missing.ts';
import type { EntityClass } from '../schema/Schema.ts';
import { isMap, type CollectionMembers } from '../schema/CollectionRow.ts';
import { rowOf, type State } from '../store/State.ts';
import { EntityNode } from './EntityNode.ts';
import { ListMembers } from './ListMembers.ts';
import type { Filling, Node } from './Node.ts';

/** A stored collection: the list or map itself, the same one for all its readers. */
export class CollectionNode extends EntityNode {
  readonly #schema: CollectionMembers;
  /** For a list of one entity: what it was joined from, so that a change costs what it touches. */
  #list: ListMembers | undefined;
  #members: unknown;

  constructor(row: EntityClass, pk: string) {
    super(row, pk);
    this.#schema = row.schema['members'] as CollectionMembers; // as collectionRow() makes it
  }

  override keepsDeps(): boolean {
    return this.#list !== undefined;
  }

  override childMarked(child: Node): void {
    this.#list?.mark(child);
  }

  override open(state: State): boolean {
    const row = rowOf(state, this.entity.key, this.pk);
    this.#members = row?.value?.['members'];
    const readsMap = isMap(this.#schema);
    if (
      Array.isArray(this.#members) === readsMap ||
      typeof this.#members !== 'object' ||
      this.#members === null
    ) {
      // Its nodes are let go of, so they are looked up anew when it comes back.
      this.#list = undefined;
      return this.lose(row === undefined ? 'it is not stored' : 'what is stored is no such collection');
    }
    this.reason = undefined;
    this.value = readsMap ? {} : this.#listShell();
    return true;
  }

  #listShell(): unknown[] {
    const member = this.#schema.schema;
    if (!isEntity(member)) return [];
    this.#list ??= new ListMembers(member);
    this.#list.setItems(this.#members as readonly unknown[]); // a list, checked by open()
    return this.#list.shell(this.value);
  }

  override fill(join: Filling): void {
    if (Array.isArray(this.value) && this.#list !== undefined) {
      this.#list.fill(this, this.value, join);
      return;
    }
    // Whoever holds the list or map of open() has it already, so that one is filled.
    const joined = join.visit(this.#schema, this.#members);
    if (joined === MISSING) this.lose('its members cannot be joined');
    else if (Array.isArray(this.value))
      refillList(this.value, joined as readonly unknown[]); // a list, like its schema
    else refill(this.value as object, joined as object); // a map, likewise
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
