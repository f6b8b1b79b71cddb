import { stringify, type Token } from 'path-to-regexp';
import { parsePath } from './path.ts';

/**
 * Removes the last parameter from a path pattern, with the part of the segment that leads to it, what follows it,
 * and the optional group that it stands in.
 *
 * @example
 * shortenPath('/groups/:group/articles/:id'); // '/groups/:group/articles'
 * shortenPath('/:id'); // '/'
 * @throws HoldfastError `HF_PATH_PATTERN`
 */
export function shortenPath(pattern: string): string {
  const { tokens } = parsePath(pattern);
  const last = tokens.findLastIndex(hasParameter);
  if (last === -1) return pattern;
  const kept = tokens.slice(0, last);
  const before = kept.at(-1);
  if (before?.type === 'text') {
    const cut =
      tokens[last]?.type === 'group' ? before.value.replace(/\/$/, '') : upToDelimiter(before.value);
    kept[kept.length - 1] = { type: 'text', value: cut };
  }
  const shortened = stringify({ tokens: kept });
  return shortened === '' ? '/' : shortened;
}

function hasParameter(token: Token): boolean {
  return token.type === 'group' ? token.tokens.some(hasParameter) : token.type !== 'text';
}

/** Text before the last thing that parts segments or query parameters; nothing where the text has none. */
function upToDelimiter(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('/'), text.lastIndexOf('?'), text.lastIndexOf('&'), 0));
}
