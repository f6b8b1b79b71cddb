/** In what a list differs from another one of the same length. */
interface Patch {
  // Held strongly, each list would keep all that there were before it.
  readonly former: WeakRef<readonly unknown[]>;
  readonly places: readonly number[];
}

// By the list, which belongs to one controller; weak, so that it can be let go of.
const patches = new WeakMap<readonly unknown[], Patch>();

/** Notes that a list is a copy of another one but for these places. */
export function notePatch(
  list: readonly unknown[],
  former: readonly unknown[],
  places: readonly number[],
): void {
  patches.set(list, { former: new WeakRef(former), places });
}

/** The places at which alone a list may differ from another one; undefined where that was not noted. */
export function patchedPlaces(
  list: readonly unknown[],
  former: readonly unknown[],
): readonly number[] | undefined {
  const patch = patches.get(list);
  // Who turned out to be missing after it was noted was taken out of it.
  const isWhole = list.length === former.length;
  return isWhole && patch?.former.deref() === former ? patch.places : undefined;
}
