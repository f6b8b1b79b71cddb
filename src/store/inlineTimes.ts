import type { Meta } from '../schema/Meta.ts';
import { isOlder } from '../schema/order.ts';
import type { StoredRow } from './State.ts';

// By objects that belong to one store; weak, so that they go with its rows.
const times = /* @__PURE__ */ new WeakMap<object, Meta>();

/**
 * Notes when the plain objects in a merged row came, where the row as a whole is of another time. Some of them may
 * be entities to a class that is met later, and are then as old as they are.
 *
 * @param isWhole - whether `incoming` is a whole row from elsewhere, which says nothing new by what it has unchanged;
 * else it is what a response said
 * @returns whether there are any
 */
export function noteTimes(
  row: StoredRow,
  existing: StoredRow,
  incoming: StoredRow,
  isWhole: boolean,
): boolean {
  let hasSome = false;
  for (const field in row.value) {
    const value = row.value[field];
    if (!mayBeInline(value)) continue;
    const isKept = value === existing.value?.[field];
    const isSaid =
      !isWhole && Object.hasOwn(incoming.value ?? {}, field) && !isOlder(incoming.meta, existing.meta);
    const time = isKept && !isSaid ? timeOf(value, existing.meta) : incoming.meta;
    hasSome ||= time !== row.meta;
    if (time === row.meta) times.delete(value);
    else times.set(value, time);
  }
  return hasSome;
}

/** When what stands in a field of a row came. */
export function timeOf(value: unknown, rowMeta: Meta): Meta {
  return (mayBeInline(value) ? times.get(value) : undefined) ?? rowMeta;
}

function mayBeInline(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !(Array.isArray(value) && typeof value[0] !== 'object')
  );
}
