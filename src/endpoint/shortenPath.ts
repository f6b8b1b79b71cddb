import { parse, type Token } from 'path-to-regexp';
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
    const value =
      tokens[last]?.type === 'group' ? before.value.replace(/\/$/, '') : upToDelimiter(before.value);
    kept.splice(-1, 1, ...(value === '' ? [] : [{ type: 'text', value } as const]));
  }
  return beginning(pattern, kept) || '/';
}

/** The beginning of a pattern that is read as the first of its tokens: as it was written, quotes and `\\` included. */
function beginning(pattern: string, tokens: readonly Token[]): string {
  const wanted = JSON.stringify(tokens);
  let end = 0;
  while (end < pattern.length && read(pattern.slice(0, end)) !== wanted) end += 1;
  return pattern.slice(0, end);
}

/** The tokens of a piece of a pattern, as text; undefined where it ends amid one. */
function read(piece: string): string | undefined {
  try {
    return JSON.stringify(parse(piece).tokens);
  } catch {
    return undefined;
  }
}

function hasParameter(token: Token): boolean {
  return token.type === 'group' ? token.tokens.some(hasParameter) : token.type !== 'text';
}

/** Text before the last thing that parts segments or query parameters; nothing where the text has none. */
function upToDelimiter(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('/'), text.lastIndexOf('?'), text.lastIndexOf('&'), 0));
}
