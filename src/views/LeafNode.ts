import type { State } from '../store/State.ts';
import { Node } from './Node.ts';

/** A node without dependencies: what an index has for a value, the pks of a table, or a part of a live query. */
export class LeafNode extends Node {
  readonly #read: (state: State) => unknown;
  readonly #onForget: (node: LeafNode) => void;

  /**
   * @param read - returns the value
   * @param onForget - called when nothing needs the node any longer
   */
  constructor(read: (state: State) => unknown, onForget: (node: LeafNode) => void) {
    super();
    this.#read = read;
    this.#onForget = onForget;
  }

  override prepare(state: State): boolean {
    this.value = this.#read(state);
    return false;
  }

  forget(): void {
    this.#onForget(this);
  }
}
