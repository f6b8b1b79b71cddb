import type { RowObserver } from '../schema/Schema.ts';
import { MISSING } from '../schema/missing.ts';
import type { State } from '../store/State.ts';
import { Node } from './Node.ts';

/**
 * The pks of a table's rows without tombstones; `MISSING` if there has been no row at all. Changes only when a row is
 * added or removed.
 */
export class TableNode extends Node {
  readonly table: string;

  constructor(table: string) {
    super();
    this.table = table;
  }

  override prepare(state: State): boolean {
    const rows = state.tables[this.table];
    if (rows === undefined) {
      this.value = MISSING;
      return false;
    }
    const pks: string[] = [];
    for (const [pk, row] of rows.entries()) if (row.value !== undefined) pks.push(pk);
    this.value = pks;
    return false;
  }
}

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
