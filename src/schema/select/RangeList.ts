import type { EntityValue } from '../Meta.ts';
import { compareValues, isRanged } from './compareValues.ts';
import type { Range } from './ranges.ts';
import { SortedList } from './SortedList.ts';

interface Item {
  readonly pk: string;
  readonly value: number | bigint | string;
}

/** The pks of rows, sorted by the value of one field: numbers before texts. Rows with other values are left out. */
export class RangeList {
  readonly #read: Range['read'];
  readonly #items = new Map<string, Item>();
  #sorted: SortedList<Item> | undefined;

  constructor(read: Range['read']) {
    this.#read = read;
  }

  /** @param fields - undefined where the row has left */
  set(pk: string, fields: EntityValue | undefined): void {
    const before = this.#items.get(pk);
    const value = fields && this.#read(fields);
    if (value === before?.value) return;
    if (before !== undefined) {
      this.#items.delete(pk);
      this.#sorted?.remove(before);
    }
    if (!isRanged(value)) return;
    const item = { pk, value };
    this.#items.set(pk, item);
    this.#sorted?.add(item);
  }

  /** The pks of rows that may be in a range. */
  *between({ bounds }: Range): Iterable<string> {
    // Sorted once, when all rows are there.
    this.#sorted ??= new SortedList<Item>(compareItems, this.#items.values());
    for (const { from, to } of bounds) {
      const start = from ?? (typeof to === 'string' ? '' : -Infinity);
      const isText = typeof start === 'string';
      for (const { pk, value } of this.#sorted.after((item) => compareValues(item.value, start) < 0)) {
        if ((to !== undefined && compareValues(value, to) > 0) || (typeof value === 'string') !== isText)
          break;
        yield pk;
      }
    }
  }
}

function compareItems(left: Item, right: Item): number {
  return compareValues(left.value, right.value) || (left.pk < right.pk ? -1 : left.pk > right.pk ? 1 : 0);
}
