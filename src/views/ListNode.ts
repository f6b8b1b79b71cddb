import type { EntityClass } from '../schema/Schema.ts';
import { ListMembers } from './ListMembers.ts';
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
