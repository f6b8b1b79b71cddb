/** A record of another plugin to write, or to delete if it is undefined. */
export interface SideChange {
  readonly plugin: string;
  readonly key: string;
  readonly record: unknown;
}

/** The changes of another plugin's records in a commit; undefined for invalid members. */
export function sideChanges(plugin: string, records: unknown): (SideChange | undefined)[] {
  return Array.isArray(records) ? records.map((member: unknown) => sideChange(plugin, member)) : [undefined];
}

function sideChange(plugin: string, member: unknown): SideChange | undefined {
  if (!Array.isArray(member)) return undefined;
  const [key, record] = member as [unknown, unknown]; // any list; its members are checked
  return typeof key === 'string' ? { plugin, key, record } : undefined;
}
