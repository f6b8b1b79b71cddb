/** The members of a collection, by reference: a list, or a map. */
type Members = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A list of references; empty where there is none. */
export function asList(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? members : [];
}

/** So many are looked for one by one: making a set of what is there costs more. */
const FEW = 8;

/** Members with others after them (or before), none twice: those that are there stay where they are. */
export function withAdded(members: unknown, added: unknown, end: 'first' | 'last'): readonly unknown[] {
  const present = asList(members);
  const given = asList(added);
  const known = given.length > FEW ? new Set(present.map(identity)) : undefined;
  const fresh = new Map<unknown, unknown>();
  for (const reference of given) {
    const id = identity(reference);
    const isKnown = known === undefined ? holds(present, id, reference) : known.has(id);
    if (!isKnown && !fresh.has(id)) fresh.set(id, reference);
  }
  if (fresh.size === 0) return present;
  const last = [...fresh.values()];
  return end === 'last' ? present.concat(last) : last.concat(present);
}

function holds(present: readonly unknown[], id: unknown, reference: unknown): boolean {
  return present.includes(id) || (id !== reference && present.some((other) => identity(other) === id));
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
