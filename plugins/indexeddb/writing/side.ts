import { isRecord } from '../../shared/guards.ts';

/** A record of another plugin to write, or to delete if it is undefined. */
export interface SideChange {
  readonly plugin: string;
  readonly key: string;
  readonly record: unknown;
}

/** The changes of other plugins' records in a commit; undefined for invalid members. */
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
