import type { EntityClass } from '../schema/Schema.ts';
import { recordPatch } from '../schema/collection/listPatches.ts';
import { MISSING } from '../schema/missing.ts';
import { Node, type DenormalizeContext } from './Node.ts';

/** Shorter lists are denormalized as part of their parent. */
export const LONG_LIST = 32;

/** A long list of entities inside a result or entity. */
export class ListNode extends Node {
  readonly #members: ListMembers;

  constructor(member: EntityClass) {
    super();
    this.#members = new ListMembers(member);
  }

  get member(): EntityClass {
    return this.#members.member;
  }

  /** Sets the list to show; returns whether it has changed. */
  setItems(items: readonly unknown[]): boolean {
    return this.#members.setItems(items);
  }

  override managesDeps(): boolean {
    return true;
  }

  override childMarked(child: Node): void {
    this.#members.mark(child);
  }

  override prepare(): boolean {
    this.value = this.#members.shell(this.value);
    return true;
  }

  override fill(context: DenormalizeContext): void {
    this.#members.fill(this, this.value as unknown[], context); // the list of prepare(): parents already hold it
  }
}

/** Up to this many changed members are replaced in a copy; beyond that, the list is rebuilt. */
const FEW = 16;

/**
 * The members of a list node. It remembers the node of each member, so that a changed member, or a list that differs
 * in a few places, costs only a few lookups.
 */
export class ListMembers {
  readonly member: EntityClass;
  /** The pks in the list. */
  #items: readonly unknown[] = [];
  /** The items that `members` was built from. */
  #filledItems: readonly unknown[] = [];
  /** The node of each item; undefined if an item is not a pk. */
  #members: readonly (Node | undefined)[] = [];
  /** The members that have become dirty since the last run; not all of them if they are many. */
  #marked: Node[] = [];
  /** The members to replace in a copy, and the list to copy; undefined if the list is rebuilt. */
  #patching: { readonly changed: readonly Node[]; readonly former: readonly unknown[] } | undefined;

  constructor(member: EntityClass) {
    this.member = member;
  }

  /** Sets the list to show; returns whether it has changed. */
  setItems(items: readonly unknown[]): boolean {
    const changed = items !== this.#items;
    this.#items = items;
    return changed;
  }

  /** Records a member that has become dirty. */
  mark(member: Node): void {
    if (this.#marked.length <= FEW) this.#marked.push(member);
  }

  /** The list to fill: a copy of the previous one, in which a few changed members are replaced. */
  shell(previous: unknown): unknown[] {
    const former: readonly unknown[] = Array.isArray(previous) ? previous : [];
    const marked = this.#marked;
    // Nothing is written to a list that has not changed, so its readers do not render.
    const isSame = previous === former && marked.length === 0;
    const canPatch =
      this.#items === this.#filledItems &&
      marked.length <= FEW &&
      // In a complete list, the nth member is at n.
      (isSame || former.length === this.#members.length);
    this.#patching = canPatch ? { changed: marked, former } : undefined;
    this.#marked = [];
    if (canPatch && isSame) return former as unknown[];
    // A list that is rebuilt mostly keeps its length, so that the copy need not grow.
    return former.slice();
  }

  /** Fills the owner's list and sets its dependencies. */
  fill(owner: Node, list: unknown[], context: DenormalizeContext): void {
    const patching = this.#patching;
    // A second fill means that a member is missing.
    this.#patching = undefined;
    const places = patching && this.#replace(patching.changed, list, context);
    if (places === undefined) this.#refill(owner, list, context);
    else if (patching !== undefined && places.length > 0) recordPatch(list, patching.former, places);
  }

  /** Replaces the changed members and returns their indexes; undefined if one of them is missing now. */
  #replace(
    changed: readonly Node[],
    list: unknown[],
    context: DenormalizeContext,
  ): readonly number[] | undefined {
    const places: number[] = [];
    for (const node of changed) {
      const value = context.resolve(node);
      // A renamed member may also be in the list under its new pk.
      if (value === MISSING || node.movedTo !== undefined) return undefined;
      for (let at = this.#members.indexOf(node); at !== -1; at = this.#members.indexOf(node, at + 1)) {
        list[at] = value;
        places.push(at);
      }
    }
    return places;
  }

  #refill(owner: Node, list: unknown[], context: DenormalizeContext): void {
    if (this.#items !== this.#filledItems) this.#updateMembers(owner, context);
    let length = 0;
    let moved: Set<unknown> | undefined;
    const members = this.#members;
    for (let index = 0; index < members.length; index++) {
      const node = members[index];
      if (node === undefined) {
        const item = this.#items[index];
        if (item === null || item === undefined) list[length++] = item;
        continue;
      }
      const value = node.phase === 'clean' ? node.value : context.resolve(node);
      if (node.movedTo !== undefined) moved = (moved ?? new Set()).add(value);
      if (value !== MISSING) list[length++] = value;
    }
    list.length = length;
    withoutDuplicates(list, moved);
  }

  /** Keeps the nodes of items that both lists share at their ends, and of those that moved by one place in between. */
  #updateMembers(owner: Node, context: DenormalizeContext): void {
    const [before, after, former] = [this.#filledItems, this.#items, this.#members];
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && before[start] === after[start]) start += 1;
    let end = 0;
    while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end])
      end += 1;

    // Written in place: a copy of the same length need not grow.
    const members = former.slice();
    const added: Node[] = [];
    const removed: Node[] = [];
    const remove = (node: Node | undefined): void => {
      if (node !== undefined) removed.push(node);
    };
    const last = before.length - end;
    let from = start;
    for (let to = start; to < after.length - end; to++) {
      const item = after[to];
      if (from + 1 < last && before[from] !== item && before[from + 1] === item) remove(former[from++]);
      if (from < last && before[from] === item) {
        members[to] = former[from++];
        continue;
      }
      const node = typeof item === 'string' ? context.node(this.member, item) : undefined;
      members[to] = node;
      if (node !== undefined) added.push(node);
      // It has replaced an item, unless that one comes next.
      if (from < last && before[from] !== after[to + 1]) remove(former[from++]);
    }
    while (from < last) remove(former[from++]);
    // In order, so that V8 keeps the array dense.
    for (let at = 0; at < end; at++) members[after.length - end + at] = former[last + at];
    members.length = after.length;
    this.#filledItems = after;
    this.#members = members;
    const deps = members.every(isNode) ? members : members.filter(isNode);
    context.release(owner.changeDeps(deps, added, removed));
  }
}

function isNode(member: Node | undefined): member is Node {
  return member !== undefined;
}

/**
 * Removes later duplicates of these members from a list.
 *
 * @param list - is modified
 * @param members - may be in it twice, under two pks
 */
export function withoutDuplicates(list: unknown[], members: ReadonlySet<unknown> | undefined): unknown[] {
  if (members === undefined) return list;
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
