/** The differences between a list and another one of the same length. */
interface Patch {
  // With a strong reference, each list would keep all previous lists alive.
  readonly previous: WeakRef<readonly unknown[]>;
  readonly indexes: readonly number[];
}

// By list, which belongs to one controller; weak, so that it can be garbage-collected.
const patches = new WeakMap<readonly unknown[], Patch>();

/** Records that a list is a copy of another one except at these indexes. */
export function recordPatch(
  list: readonly unknown[],
  previous: readonly unknown[],
  indexes: readonly number[],
): void {
  patches.set(list, { previous: new WeakRef(previous), indexes });
}

/** The only indexes at which a list may differ from another one; undefined if that was not recorded. */
export function patchedIndexes(
  list: readonly unknown[],
  previous: readonly unknown[],
): readonly number[] | undefined {
  const patch = patches.get(list);
  // A member that was found missing after the record was removed from the list.
  const isWhole = list.length === previous.length;
  return isWhole && patch?.previous.deref() === previous ? patch.indexes : undefined;
}
