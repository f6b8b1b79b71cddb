import type { RowObserver } from '../schema/Schema.ts';
import { Node } from './Node.ts';

/** A node for a part of a row observer, on which other nodes depend. */
export class PartNode extends Node {
  readonly observer: RowObserver;
  readonly part: object;

  constructor(observer: RowObserver, part: object) {
    super();
    this.observer = observer;
    this.part = part;
  }

  override prepare(): boolean {
    this.value = this.part;
    return false;
  }
}
