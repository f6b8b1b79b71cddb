/** The members of a collection, by reference: a list, or a map. */
type Members = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A list of references; empty where there is none. */
export function asList(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? members : [];
}

/** Members with others after them (or before), none twice: those that are there stay where they are. */
export function withAdded(members: unknown, added: unknown, end: 'first' | 'last'): readonly unknown[] {
  const present = asList(members);
  const known = new Set(present.map(identity));
  const fresh: unknown[] = [];
  for (const reference of asList(added)) {
    const id = identity(reference);
    if (known.has(id)) continue;
    known.add(id);
    fresh.push(reference);
  }
  if (fresh.length === 0) return present;
  return end === 'last' ? [...present, ...fresh] : [...fresh, ...present];
}

/** A map with the members of another added or replaced. */
export function withAssigned(members: unknown, added: unknown): Members {
  // Entries define members, so that `__proto__` is a key like any other.
  return Object.fromEntries([...entries(members), ...entries(added)]);
}

/** Members without some; the same list or map where it holds none of them. */
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

/** What tells references apart: entities are pks, members of a union are lists. */
function identity(reference: unknown): unknown {
  return typeof reference === 'object' ? JSON.stringify(reference) : reference;
}
