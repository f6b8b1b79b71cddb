import { MISSING } from '../schema/missing.ts';
import { notePatch } from '../schema/patches.ts';
import type { EntityClass } from '../schema/Schema.ts';
import type { Filling, Node } from './Node.ts';

/** Up to so many changed members are looked up and replaced; with more of them, the list is made anew. */
const FEW = 16;

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
  /** The members that have become dirty since the last join; when they are many, not all of them. */
  #marked: Node[] = [];
  /** Those of them that this join is to replace, and in which list; undefined when it makes the list anew. */
  #patching: { readonly changed: readonly Node[]; readonly former: readonly unknown[] } | undefined;

  constructor(member: EntityClass) {
    this.member = member;
  }

  /** Sets the list to show; returns whether it is another than before. */
  setItems(items: readonly unknown[]): boolean {
    const changed = items !== this.#items;
    this.#items = items;
    return changed;
  }

  /** Takes note of a member that has become dirty. */
  mark(member: Node): void {
    if (this.#marked.length <= FEW) this.#marked.push(member);
  }

  /** The list to be filled, given the one that was shown before: a copy of it where only few members have changed. */
  shell(former: unknown): unknown[] {
    const canPatch =
      this.#items === this.#joinedItems &&
      this.#marked.length <= FEW &&
      Array.isArray(former) &&
      // In a list that lacks nobody, the nth member is at n.
      former.length === this.#members.length;
    this.#patching = canPatch ? { changed: this.#marked, former } : undefined;
    this.#marked = [];
    return canPatch ? former.slice() : [];
  }

  /** Fills the list that `owner` shows, and sets the nodes that it depends on. */
  fill(owner: Node, list: unknown[], join: Filling): void {
    const patching = this.#patching;
    // When it is filled once more, somebody is missing.
    this.#patching = undefined;
    const places = patching && this.#replace(patching.changed, list, join);
    if (places === undefined) this.#fillAnew(owner, list, join);
    else if (patching !== undefined) notePatch(list, patching.former, places);
  }

  /** Puts the members that have changed in their places, which it returns; undefined when one of them is missing now. */
  #replace(changed: readonly Node[], list: unknown[], join: Filling): readonly number[] | undefined {
    const places: number[] = [];
    for (const node of changed) {
      const value = join.begin(node);
      // What was renamed may stand in the list by its new pk too.
      if (value === MISSING || node.movedTo !== undefined) return undefined;
      for (let at = this.#members.indexOf(node); at !== -1; at = this.#members.indexOf(node, at + 1)) {
        list[at] = value;
        places.push(at);
      }
    }
    return places;
  }

  #fillAnew(owner: Node, list: unknown[], join: Filling): void {
    if (this.#items !== this.#joinedItems) this.#updateMembers(owner, join);
    list.length = 0;
    const moved = new Set<unknown>();
    const members = this.#members;
    for (let index = 0; index < members.length; index++) {
      const node = members[index];
      if (node === undefined) {
        const item = this.#items[index];
        if (item === null || item === undefined) list.push(item);
        continue;
      }
      const value = node.phase === 'clean' ? node.value : join.begin(node);
      if (node.movedTo !== undefined) moved.add(value);
      if (value !== MISSING) list.push(value);
    }
    withoutTwins(list, moved);
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

/**
 * Leaves each of some members only once in a list, where it stands first.
 *
 * @param list - is changed
 * @param members - which may be in it twice, by two pks
 */
export function withoutTwins(list: unknown[], members: ReadonlySet<unknown>): unknown[] {
  if (members.size === 0) return list;
  const seen = new Set<unknown>();
  let length = 0;
  for (const member of list) {
    if (members.has(member) && seen.has(member)) continue;
    seen.add(member);
    list[length++] = member;
  }
  list.length = length;
  return list;
}
