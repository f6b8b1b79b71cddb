/** What counts in a pattern: an escaped character, a parameter, an optional group, what parts segments or a query. */
const PIECES = /\\.|[:*](?:"(?:\\.|[^"])*"|[$\u200c\u200d\p{ID_Continue}]+)|\/?\{|[}/&]/gsu;

/**
 * Removes the last parameter from a path pattern, with the part of the segment that leads to it, what follows it, and
 * the optional group that it stands in: what the type `ShortenPath` says. A slash at the end stays, because servers
 * that require it redirect other URLs, and a redirected POST becomes a GET. What is no pattern gives anything.
 *
 * @example
 * shortenPath('/groups/:group/articles/:id'); // '/groups/:group/articles'
 * shortenPath('/articles/:id/'); // '/articles/'
 * shortenPath('/:id'); // '/'
 */
export function shortenPath(pattern: string): string {
  let end = pattern.length;
  /** Where the pattern ends if the next parameter is the last one. */
  let cut = 0;
  let depth = 0;
  for (const { 0: piece, index } of pattern.matchAll(PIECES)) {
    const isParameter = /^[:*]/.test(piece);
    const isOpening = /^\/?\{/.test(piece);
    if (isParameter) end = cut;
    if (piece === '}') depth -= 1;
    // A group is removed as a whole.
    if (depth === 0) {
      if (isParameter || piece === '}') cut = index + piece.length;
      else if (isOpening || /[/?&]/.test(piece)) cut = index;
    }
    if (isOpening) depth += 1;
  }
  const shortened = pattern.slice(0, end);
  const isSlashMissing = /^[^?]+\/$/.test(pattern) && !shortened.endsWith('/');
  return isSlashMissing ? `${shortened}/` : shortened || '/';
}
