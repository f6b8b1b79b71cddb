import { references } from './references.ts';
import type { Schema } from './Schema.ts';

/** Stands in place of a text while it is found out whether that is a reference. */
const PROBE = '\0renamed';

/**
 * A normalized value with another pk wherever it names a row; the same value where it does not. A list that names the
 * row by both pks names it once.
 */
export function renamedIn(schema: Schema, value: unknown, table: string, from: string, to: string): unknown {
  let renamed = value;
  for (const path of pathsTo(from, value)) {
    const tables = new Set<string>();
    references(schema, withText(renamed, path, PROBE), ({ key }, pk) => {
      if (pk === PROBE) tables.add(key);
    });
    if (tables.has(table)) renamed = withText(renamed, path, to);
  }
  return renamed;
}

type Path = readonly string[];

/** Where a text stands in a value, the last place in a list first. */
function pathsTo(text: string, value: unknown): readonly Path[] {
  if (value === text) return [[]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .reverse()
    .flatMap(([name, member]) => pathsTo(text, member).map((path) => [name, ...path]));
}

function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text;
  if (!Array.isArray(value)) {
    const fields = value as Readonly<Record<string, unknown>>; // pathsTo() has found a member
    return { ...fields, [name]: withText(fields[name], rest, text) };
  }
  const at = Number(name);
  const list: readonly unknown[] = value;
  if (rest.length === 0 && list.includes(text)) return list.filter((_, place) => place !== at);
  return list.map((member, place) => (place === at ? withText(member, rest, text) : member));
}
