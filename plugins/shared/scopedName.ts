/**
 * Names what belongs to one app and one scope of it, such as a user: no two pairs have one name, whatever characters they
 * contain.
 */
export function scopedName(name: string, scope: string | undefined): string {
  const escaped = escape(name);
  return scope === undefined ? escaped : `${escaped}:${escape(scope)}`;
}

function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(':', '%3A');
}
