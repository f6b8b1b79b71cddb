import type { EntityValue } from '../Meta.ts';
import { isPlain } from '../../util/isPlain.ts';
import { isRanged } from './compareValues.ts';
import { comparable } from './fields.ts';

/** A condition on one field that a sorted list can answer: the rows of all others need not be tested. */
export interface Range {
  readonly field: string;
  /** Reads the field of a stored row, in its comparable form. */
  readonly read: (fields: EntityValue) => unknown;
  /** Bounds, both of which may be in the range; several for `in`. */
  readonly bounds: readonly Bounds[];
}

interface Bounds {
  /** Undefined where the range is open at this side. */
  readonly from?: unknown;
  readonly to?: unknown;
}

/** The bounds of a field's condition; undefined if a sorted list cannot answer it. */
export function boundsOf(wanted: unknown): readonly Bounds[] | undefined {
  if (!isPlain(wanted) || wanted['ignoreCase'] === true) return undefined;
  const { in: list, gte, gt = gte, lte, lt = lte, startsWith } = wanted;
  if (Array.isArray(list)) {
    const points = [...new Set(list.map(comparable))];
    return points.every(isRanged) ? points.map((point) => ({ from: point, to: point })) : undefined;
  }
  if (typeof startsWith === 'string') return [{ from: startsWith, to: afterPrefix(startsWith) }];
  const [from, to] = [comparable(gt), comparable(lt)];
  return isRanged(from) || isRanged(to) ? [{ from, to }] : undefined;
}

/** The first text after all that start with a prefix; undefined where nothing comes after them. */
function afterPrefix(prefix: string): string | undefined {
  const code = prefix.charCodeAt(prefix.length - 1);
  return code < 0xffff ? prefix.slice(0, -1) + String.fromCharCode(code + 1) : undefined;
}
