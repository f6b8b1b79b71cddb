import type { Controller, MountedRead } from 'holdfast';
import { hasMembers, membersOf } from '../data/members.ts';

/** The maximum number of objects visited, for all reads together: a few milliseconds. */
const MAX_OBJECTS = 20_000;

/** The mounted reads that contain a row, as far as they can be found without traversing everything. */
export function readsShowing(
  controller: Controller,
  mounted: Iterable<MountedRead>,
  table: string,
  pk: string,
): readonly MountedRead[] {
  let left = MAX_OBJECTS;
  const isShownBy = ({ endpoint, args }: MountedRead): boolean => {
    const root: unknown = controller.getResponse(endpoint, ...args).data;
    const seen = new Set([root]);
    for (const value of seen) {
      if (left <= 0 || !hasMembers(value)) continue;
      left -= 1;
      if (isRow(value, table, pk)) return true;
      for (const [, member] of membersOf(value)) if (typeof member === 'object') seen.add(member);
    }
    return false;
  };
  return [...mounted].filter(isShownBy);
}

/** Identified by an entity's class. */
interface EntityLike {
  readonly key?: unknown;
  readonly pk?: (value: object) => string | undefined;
}

function isRow(value: object, table: string, pk: string): boolean {
  const entity = value.constructor as EntityLike | undefined; // of any class
  return entity?.key === table && entity.pk?.(value) === pk;
}
