import { references } from './references.ts';
import type { Schema } from './Schema.ts';

/** Replaces a text in order to find out whether it is a reference. */
const PROBE = '\0renamed';

/**
 * A normalized value with another pk wherever it refers to a row; the same value if it does not. A list that contains
 * both pks keeps only one.
 */
export function renameInValue(
  schema: Schema,
  value: unknown,
  table: string,
  from: string,
  to: string,
): unknown {
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

/** The positions of a text in a value, the last index of a list first. */
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
