import { isRecord } from './metaShape.ts';

/** A record that another plugin wants written, or deleted where it is undefined. */
export interface SideChange {
  readonly plugin: string;
  readonly key: string;
  readonly record: unknown;
}

/**
 * What a plugin puts under its name in `commit.side`: its records by key, of which an undefined one is deleted. They
 * are written in the transaction that writes what the commit changed.
 *
 * @example
 * // in a plugin named 'outbox': the answer is stored and the entry removed together or not at all
 * const side = { outbox: [['entry-7', undefined]] satisfies SideRecords };
 */
export type SideRecords = readonly (readonly [key: string, record: unknown])[];

/** The changes that a commit asks for; undefined for a member that is not of the shape of `SideRecords`. */
export function sideChanges(side: Readonly<Record<string, unknown>>): (SideChange | undefined)[] {
  if (!isRecord(side)) return [];
  return Object.entries(side).flatMap(([plugin, records]) =>
    Array.isArray(records) ? records.map((member: unknown) => sideChange(plugin, member)) : [undefined],
  );
}

function sideChange(plugin: string, member: unknown): SideChange | undefined {
  if (!Array.isArray(member)) return undefined;
  const [key, record] = member as [unknown, unknown]; // any list; its members are checked
  return typeof key === 'string' ? { plugin, key, record } : undefined;
}
