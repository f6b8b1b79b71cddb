/** A name for one app and scope, such as a user. Different pairs never share a name, whatever they contain. */
export function scopedName(name: string, scope: string | undefined): string {
  const escaped = escape(name);
  return scope === undefined ? escaped : `${escaped}:${escape(scope)}`;
}

function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(':', '%3A');
}
