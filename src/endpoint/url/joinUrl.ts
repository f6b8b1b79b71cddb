import { describe, HoldfastError } from '../../util/errors.ts';
import type { PathPart } from './path.ts';

/** The scheme and the host of a URL, as browsers parse them: any number of slashes follows a scheme (https://url.spec.whatwg.org/#url-parsing). */
const AUTHORITY = /^(?:[a-z][a-z\d+.-]*:[\\/]*|[\\/]{2,})[^\\/?#]*/i;

/** The end of a path. */
const QUERY = /[?#]/;

/**
 * A segment that browsers remove: one or two dots, encoded or not
 * (https://url.spec.whatwg.org/#double-dot-path-segment).
 */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/**
 * Joins prefix and path into a URL whose structure only prefix and pattern determine: no value can change the host,
 * the number of segments or the query.
 *
 * @throws HoldfastError `HF_PATH_PARAMETER` for a value that makes its segment `.`, `..` or empty; `HF_PATH_PATTERN`
 * for a pattern with a parameter in the host, and in development for a prefix with a fragment, which is never sent
 */
export function joinUrl(prefix: string, parts: readonly PathPart[], source: string): string {
  if (process.env.NODE_ENV !== 'production' && prefix.includes('#'))
    throw new HoldfastError(
      'HF_PATH_PATTERN',
      `The urlPrefix of ${source} has a #, and URLs are sent without what follows it, so without the path; remove or encode it`,
    );
  if (isRootAfter(prefix, parts)) return prefix;
  let url = joint(prefix, parts[0]);
  const values: { readonly part: PathPart; readonly at: number }[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.name !== undefined) values.push({ part, at: url.length });
    const isDoubled = index === 0 && part.name === undefined && url.endsWith('/') && !QUERY.test(url);
    url += isDoubled ? part.text.replace(/^\//, '') : part.text;
  }
  const host = AUTHORITY.exec(url)?.[0].length ?? 0;
  // Values are encoded, so that none of them ends the path or a segment.
  const [path = ''] = url.split(QUERY, 1);
  for (const { part, at } of values) {
    if (at > path.length) break;
    const [segment = ''] = path.slice(segmentStart(path, at)).split(/[\\/]/, 1);
    if (part.text === '' || DOTS.test(segment))
      throw new HoldfastError(
        'HF_PATH_PARAMETER',
        `The parameter \`${part.name}\` of ${source} is ${describe(decodeURIComponent(part.text))}, and URLs remove such a segment; pass another value`,
      );
    if (at < host)
      throw new HoldfastError(
        'HF_PATH_PATTERN',
        `The path of ${source} has a parameter in the host; start it with a slash, or override url()`,
      );
  }
  return url;
}

function segmentStart(path: string, at: number): number {
  const before = path.slice(0, at);
  return Math.max(before.lastIndexOf('/'), before.lastIndexOf('\\')) + 1;
}

/** Whether a path is only the root, which adds nothing to a prefix that has a path. */
function isRootAfter(prefix: string, parts: readonly PathPart[]): boolean {
  if (parts.length !== 1 || parts[0]?.text !== '/' || QUERY.test(prefix)) return false;
  return /[^\\/]/.test(prefix.replace(AUTHORITY, ''));
}

/** The prefix to put before the path, with exactly one slash between the two. */
function joint(prefix: string, first: PathPart | undefined): string {
  if (prefix === '' || first === undefined || prefix.endsWith('/') || QUERY.test(prefix)) return prefix;
  return first.name === undefined && /^[/?#]/.test(first.text) ? prefix : `${prefix}/`;
}
