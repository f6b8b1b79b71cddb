import type { EntityClass } from '../schema/Schema.ts';
import { ListMembers } from './ListMembers.ts';
import { Node, type Filling } from './Node.ts';

/** Shorter lists are joined as part of what holds them. */
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

  /** Sets the list to show; returns whether it is another than before. */
  setItems(items: readonly unknown[]): boolean {
    return this.#members.setItems(items);
  }

  override keepsDeps(): boolean {
    return true;
  }

  override childMarked(child: Node): void {
    this.#members.mark(child);
  }

  override open(): boolean {
    this.value = this.#members.shell(this.value);
    return true;
  }

  override fill(join: Filling): void {
    this.#members.fill(this, this.value as unknown[], join); // the list of open(): whoever holds it has it already
  }
}
