import type { Addition } from './Schema.ts';

/** The members of a collection, by reference: a list, or a map. */
type Members = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A list of references; empty where there is none. */
export function asList(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? members : [];
}

/** So many are looked for one by one: making a set of what is there costs more. */
const FEW = 8;

/** Members with others at their ends, in one pass, none twice: those that are there stay where they are. */
export function withAdded(
  members: unknown,
  additions: readonly Pick<Addition, 'added' | 'end'>[],
): readonly unknown[] {
  const present = asList(members);
  const count = additions.reduce((sum, { added }) => sum + added.length, 0);
  const known = count > FEW ? new Set(present.map(identity)) : undefined;
  const fresh = new Set<unknown>();
  const first: (readonly unknown[])[] = [];
  const last: unknown[] = [];
  for (const { added, end } of additions) {
    const into = end === 'last' ? last : [];
    for (const reference of added) {
      const id = identity(reference);
      const isKnown = known === undefined ? holds(present, id, reference) : known.has(id);
      if (isKnown || fresh.has(id)) continue;
      fresh.add(id);
      into.push(reference);
    }
    if (end === 'first') first.push(into);
  }
  return fresh.size === 0 ? present : first.reverse().flat().concat(present, last);
}

/** Whether a list has all of these. */
export function holdsAll(members: unknown, references: readonly unknown[]): boolean {
  return withAdded(members, [{ added: references, end: 'last' }]) === members;
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
