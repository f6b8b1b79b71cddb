import { HoldfastError } from 'holdfast';

/** A name for one app and scope, such as a user. Different pairs never share a name, whatever they contain. */
export function scopedName(name: string, scope: string | undefined): string {
  const escaped = escape(name);
  return scope === undefined ? escaped : `${escaped}:${escape(scope)}`;
}

function escape(text: string): string {
  // Such as a numeric id in untyped code.
  if (process.env.NODE_ENV !== 'production' && typeof (text as unknown) !== 'string')
    throw new HoldfastError(
      'HF_PLUGIN',
      `The name or scope of a plugin is ${JSON.stringify(text)}, which is no string; pass a string: String(userId)`,
    );
  return text.replaceAll('%', '%25').replaceAll(':', '%3A');
}
