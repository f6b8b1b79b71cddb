import { MISSING } from '../schema/missing.ts';
import type { EntityClass } from '../schema/Schema.ts';
import type { Filling, Node } from './Node.ts';

/**
 * The members of a list of entities, for a node that shows it. It remembers the node of each, so that a change of one
 * member, or a list that differs by a few, looks up only what is new.
 */
export class ListMembers {
  readonly member: EntityClass;
  /** The pks in the list. */
  #items: readonly unknown[] = [];
  /** What `members` was made from. */
  #joinedItems: readonly unknown[] = [];
  /** The node of each item; undefined where an item is not a pk. */
  #members: readonly (Node | undefined)[] = [];

  constructor(member: EntityClass) {
    this.member = member;
  }

  /** Sets the list to show; returns whether it is another than before. */
  setItems(items: readonly unknown[]): boolean {
    const changed = items !== this.#items;
    this.#items = items;
    return changed;
  }

  /** Fills the list that `owner` shows, and sets the nodes that it depends on. */
  fill(owner: Node, list: unknown[], join: Filling): void {
    if (this.#items !== this.#joinedItems) this.#updateMembers(owner, join);
    list.length = 0;
    const members = this.#members;
    for (let index = 0; index < members.length; index++) {
      const node = members[index];
      if (node === undefined) {
        const item = this.#items[index];
        if (item === null || item === undefined) list.push(item);
        continue;
      }
      const value = node.phase === 'clean' ? node.value : join.begin(node);
      if (value !== MISSING) list.push(value);
    }
  }

  /** Keeps the nodes of what the old and the new list have in common at both ends; looks up the rest. */
  #updateMembers(owner: Node, join: Filling): void {
    const [before, after] = [this.#joinedItems, this.#items];
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start += 1;
    let end = 0;
    while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end])
      end += 1;

    const added: (Node | undefined)[] = [];
    for (let index = start; index < after.length - end; index++) {
      const item = after[index];
      added.push(typeof item === 'string' ? join.node(this.member, item) : undefined);
    }
    const removed = this.#members.slice(start, before.length - end);
    const members = this.#members.slice(0, start).concat(added, this.#members.slice(before.length - end));
    this.#joinedItems = after;
    this.#members = members;
    join.release(owner.changeDeps(members.filter(isNode), added.filter(isNode), removed.filter(isNode)));
  }
}

function isNode(member: Node | undefined): member is Node {
  return member !== undefined;
}
