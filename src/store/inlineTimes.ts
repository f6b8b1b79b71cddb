import type { Meta } from '../schema/Meta.ts';
import { isOlder } from '../schema/order.ts';
import type { StoredRow } from './State.ts';

// Keyed by objects that belong to one store; weak, so entries go with the rows.
const times = /* @__PURE__ */ new WeakMap<object, Meta>();

/**
 * Records when the plain objects in a merged row arrived, if that differs from the row. A class registered later may
 * read some of them as entities, which then have that age.
 *
 * @param isWhole - whether `incoming` is a whole row from elsewhere, whose unchanged fields carry no news; otherwise
 * it is a response
 * @returns whether any were recorded
 */
export function recordInlineTimes(
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
    const isConfirmed =
      !isWhole && Object.hasOwn(incoming.value ?? {}, field) && !isOlder(incoming.meta, existing.meta);
    const time = isKept && !isConfirmed ? inlineTimeOf(value, existing.meta) : incoming.meta;
    hasSome ||= time !== row.meta;
    if (time === row.meta) times.delete(value);
    else times.set(value, time);
  }
  return hasSome;
}

/** When the value of a field arrived. */
export function inlineTimeOf(value: unknown, rowMeta: Meta): Meta {
  return (mayBeInline(value) ? times.get(value) : undefined) ?? rowMeta;
}

function mayBeInline(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !(Array.isArray(value) && typeof value[0] !== 'object')
  );
}
