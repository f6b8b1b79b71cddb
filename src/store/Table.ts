const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** Smaller tables are not rebuilt to remove holes. */
const SMALL = 64;

/** A chunk of the vector: 32 chunks, or at the lowest level 32 values. */
interface Chunk {
  /** The transaction that created this copy and may write into it. */
  owner: object | undefined;
  items: unknown[];
}

/**
 * An immutable map from pk to value whose updates cost the same at any size.
 *
 * Every pk has a slot, a small integer, in an index that all versions of a table share and that only grows. A version
 * is a 32-way radix tree from slot to value; an update copies one path. A transaction passes itself as `owner` and
 * copies each chunk only once, however many rows it writes.
 */
export class Table<V extends object> {
  /** How many values there are. */
  get size(): number {
    return this.#size;
  }

  /** The slot of each pk, shared by all versions. */
  get slots(): ReadonlyMap<string, number> {
    return this.#slots;
  }

  readonly #slots: Map<string, number>;
  #root: Chunk;
  /** Levels above the lowest, in bits: the tree holds 32 << shift slots. */
  #shift: number;
  #size: number;
  /** The transaction that created this version and still writes into it. */
  readonly #owner: object | undefined;

  private constructor(slots: Map<string, number>, root: Chunk, shift: number, size: number, owner?: object) {
    this.#slots = slots;
    this.#root = root;
    this.#shift = shift;
    this.#size = size;
    this.#owner = owner;
  }

  static empty<V extends object>(): Table<V> {
    return new Table<V>(new Map(), { owner: undefined, items: [] }, 0, 0);
  }

  get(pk: string): V | undefined {
    const slot = this.#slots.get(pk);
    return slot === undefined ? undefined : this.at(slot);
  }

  /** This table with `value` at `pk`. Changes this version in place if the given `owner` created it. */
  with(pk: string, value: V, owner?: object): Table<V> {
    return this.withAt(this.slotOf(pk), value, owner);
  }

  /** The slot of a pk, the same in all versions; assigned if it has none. */
  slotOf(pk: string): number {
    let slot = this.#slots.get(pk);
    if (slot === undefined) {
      slot = this.#slots.size;
      this.#slots.set(pk, slot);
    }
    return slot;
  }

  /** This table without `pk`. */
  without(pk: string, owner?: object): Table<V> {
    const slot = this.#slots.get(pk);
    if (slot === undefined || this.at(slot) === undefined) return this;
    const table = this.withAt(slot, undefined, owner);
    // Slots are not reused, since an older version may still read them; a table of mostly holes gets a new index.
    return this.#slots.size > SMALL && table.size < this.#slots.size / 2 ? table.#rebuilt() : table;
  }

  /** Replaces each value by the result of `change`, in order; the same value keeps its place. */
  map(change: (value: V, pk: string) => V, owner: object): Table<V> {
    let next: Table<V> | undefined;
    // Slots are visited in order, so each chunk is looked up once.
    let first = -1;
    let values: readonly unknown[] | undefined;
    let written: unknown[] | undefined;
    this.#slots.forEach((slot, pk) => {
      if (slot - (slot & MASK) !== first) {
        first = slot - (slot & MASK);
        values = this.#lowest(slot)?.items;
        written = undefined;
      }
      const value = values?.[slot & MASK] as V | undefined; // as in at()
      if (value === undefined) return;
      const changed = change(value, pk);
      if (changed === value) return;
      if (written !== undefined) written[slot & MASK] = changed;
      else {
        next = (next ?? this).withAt(slot, changed, owner);
        written = next.#lowest(slot)?.items;
      }
    });
    return next ?? this;
  }

  /** Calls `visit` with every pk and value, in order. Of many rows, this costs a fraction of `entries()`. */
  forEach(visit: (value: V, pk: string) => void): void {
    this.map((value, pk) => {
      visit(value, pk);
      return value;
    }, this);
  }

  /** Every pk and value, in the order in which the pks were first stored. */
  *entries(): IterableIterator<[pk: string, value: V]> {
    for (const [pk, slot] of this.#slots) {
      const value = this.at(slot);
      if (value !== undefined) yield [pk, value];
    }
  }

  /** The value in a slot. */
  at(slot: number): V | undefined {
    return this.#lowest(slot)?.items[slot & MASK] as V | undefined; // the lowest chunks hold values
  }

  /** The lowest chunk that contains a slot. */
  #lowest(slot: number): Chunk | undefined {
    let shift = this.#shift;
    // Another version may have assigned slots beyond this tree.
    if (slot >>> shift >= WIDTH) return undefined;
    let chunk: Chunk | undefined = this.#root;
    for (; shift > 0 && chunk !== undefined; shift -= BITS)
      chunk = chunk.items[(slot >>> shift) & MASK] as Chunk | undefined; // chunks hold chunks above the lowest level
    return chunk;
  }

  /** `with`, or `without` if the value is undefined, by slot. */
  withAt(slot: number, value: V | undefined, owner?: object): Table<V> {
    let root = this.#root;
    let shift = this.#shift;
    while (slot >>> shift >= WIDTH) {
      root = { owner, items: [root] };
      shift += BITS;
    }
    root = writable(root, owner);
    let chunk = root;
    for (let level = shift; level > 0; level -= BITS) {
      const position = (slot >>> level) & MASK;
      const below = chunk.items[position] as Chunk | undefined; // as in at()
      const copy: Chunk = below === undefined ? { owner, items: [] } : writable(below, owner);
      chunk.items[position] = copy;
      chunk = copy;
    }
    const position = slot & MASK;
    const size = this.#size + (value === undefined ? 0 : 1) - (chunk.items[position] === undefined ? 0 : 1);
    // Filled from the left, so that V8 keeps the array dense.
    while (chunk.items.length < position) chunk.items.push(undefined);
    chunk.items[position] = value;
    if (owner === undefined || owner !== this.#owner)
      return new Table<V>(this.#slots, root, shift, size, owner);
    this.#root = root;
    this.#shift = shift;
    this.#size = size;
    return this;
  }

  #rebuilt(): Table<V> {
    const owner = {};
    let table = Table.empty<V>();
    for (const [pk, value] of this.entries()) table = table.with(pk, value, owner);
    return table;
  }
}

function writable(chunk: Chunk, owner: object | undefined): Chunk {
  return owner !== undefined && chunk.owner === owner ? chunk : { owner, items: chunk.items.slice() };
}
