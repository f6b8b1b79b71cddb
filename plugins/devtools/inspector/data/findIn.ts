import { hasMembers, membersOf, scalarText } from './values.ts';

/** The maximum number of objects searched: enough for a person, and fast enough not to be noticed. */
const MAX_OBJECTS = 20_000;

/** A member and its path. */
export interface Found {
  /** Such as `3.author.name`. */
  readonly path: string;
  readonly value: unknown;
}

/**
 * The members whose name or text contains `text`, the nearest first. Each object is visited once, so cycles do no
 * harm.
 */
export function findIn(root: unknown, text: string, limit: number): readonly Found[] {
  const wanted = text.toLowerCase();
  const found: Found[] = [];
  const seen = new Set<unknown>([root]);
  const waiting: Found[] = [{ path: '', value: root }];
  for (const { path, value } of waiting) {
    if (!hasMembers(value)) continue;
    for (const [name, member] of membersOf(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      const isBranch = hasMembers(member);
      const words = isBranch ? name : `${name} ${scalarText(member)}`;
      if (words.toLowerCase().includes(wanted)) found.push({ path: at, value: member });
      if (found.length >= limit) return found;
      if (!isBranch || seen.has(member) || seen.size >= MAX_OBJECTS) continue;
      seen.add(member);
      waiting.push({ path: at, value: member });
    }
  }
  return found;
}
