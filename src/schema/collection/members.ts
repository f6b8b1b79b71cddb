import type { MembersChange } from '../Schema.ts';

/** The members of a collection as references: a list, or a map. */
type Members = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A list of references; empty if there is none. */
export function asList(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? members : [];
}

/** Up to this many are searched for one by one: creating a set of the present members would cost more. */
const FEW = 8;

/**
 * Applies changes in order.
 *
 * @returns the same list or map if nothing changes
 */
export function withChanges(
  members: unknown,
  changes: readonly Pick<MembersChange, 'items' | 'how'>[],
): unknown {
  let present = members;
  let start = 0;
  for (const [index, { items, how }] of changes.entries()) {
    if (how === 'unshift' || how === 'push') continue;
    if (start < index) present = withAdded(present, changes.slice(start, index));
    present =
      how === 'remove'
        ? without(present, items)
        : how === 'assign'
          ? withAssigned(present, items[0])
          : how(present);
    start = index + 1;
  }
  return start < changes.length ? withAdded(present, changes.slice(start)) : present;
}

/** Adds members at the ends in one pass, without duplicates: present members keep their places. */
export function withAdded(
  members: unknown,
  changes: readonly Pick<MembersChange, 'items' | 'how'>[],
): readonly unknown[] {
  const present = asList(members);
  const count = changes.reduce((sum, { items }) => sum + items.length, 0);
  const known = count > FEW ? new Set(present.map(identity)) : undefined;
  const fresh = new Set<unknown>();
  const first: (readonly unknown[])[] = [];
  const last: unknown[] = [];
  for (const { items, how } of changes) {
    const into = how === 'push' ? last : [];
    for (const reference of items) {
      const id = identity(reference);
      const isKnown = known === undefined ? holds(present, id, reference) : known.has(id);
      if (isKnown || fresh.has(id)) continue;
      fresh.add(id);
      into.push(reference);
    }
    if (how === 'unshift') first.push(into);
  }
  return fresh.size === 0 ? present : first.reverse().flat().concat(present, last);
}

function holds(present: readonly unknown[], id: unknown, reference: unknown): boolean {
  return present.includes(id) || (id !== reference && present.some((other) => identity(other) === id));
}

/** A map with the members of another one added or replaced. */
export function withAssigned(members: unknown, added: unknown): Members {
  // Entries define properties, so that `__proto__` is a key like any other.
  return Object.fromEntries([...entries(members), ...entries(added)]);
}

/** Members without some; the same list or map if it contains none of them. */
export function without(members: unknown, removed: readonly unknown[]): unknown {
  const gone = new Set(removed.map(identity));
  const stays = (reference: unknown): boolean => !gone.has(identity(reference));
  if (Array.isArray(members)) return members.every(stays) ? members : members.filter(stays);
  const all = entries(members);
  const kept = all.filter(([, reference]) => stays(reference));
  return kept.length === all.length ? members : Object.fromEntries(kept);
}

function entries(members: unknown): readonly (readonly [string, unknown])[] {
  return typeof members === 'object' && members !== null ? Object.entries(members) : [];
}

/** Identifies a reference: that of an entity is its pk, that of a union's member is a list. */
function identity(reference: unknown): unknown {
  return typeof reference === 'object' ? JSON.stringify(reference) : reference;
}
