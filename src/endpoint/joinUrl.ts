import { describe, HoldfastError } from '../util/errors.ts';
import { parameterError } from './parameterError.ts';
import type { PathPart } from './path.ts';

/** The scheme and the host of a URL, as browsers find them: any number of slashes follows a scheme. */
const AUTHORITY = /^(?:[a-z][a-z\d+.-]*:[\\/]*|[\\/]{2,})[^\\/?#]*/i;

/** A segment that a browser removes: one or two dots, encoded or not. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/**
 * Joins prefix and path into a URL whose structure only prefix and pattern decide: no value makes another host,
 * another number of segments or another query.
 *
 * @throws HoldfastError `HF_PATH_PARAMETER` for a value that leaves its segment `.`, `..` or empty; `HF_PATH_PATTERN`
 * for a pattern with a parameter in the host
 */
export function joinUrl(prefix: string, parts: readonly PathPart[], source: string): string {
  let url = joint(prefix, parts[0]);
  let firstValue: number | undefined;
  let query = /[?#]/.test(url);
  /** Where the current segment begins, and the last value in it. */
  let start = Math.max(url.lastIndexOf('/'), url.lastIndexOf('\\')) + 1;
  let touched: PathPart | undefined;

  for (const [index, part] of parts.entries()) {
    const { text } = part;
    if (part.name !== undefined) {
      firstValue ??= url.length;
      url += text;
      if (query) continue;
      if (text === '') throw unfit(part, source);
      touched = part;
      continue;
    }
    for (const char of index === 0 && !query && url.endsWith('/') ? text.replace(/^\//, '') : text) {
      if (!query && (char === '/' || char === '\\' || char === '?' || char === '#')) {
        if (touched !== undefined && DOTS.test(url.slice(start))) throw unfit(touched, source);
        touched = undefined;
        start = url.length + 1;
        query = char === '?' || char === '#';
      }
      url += char;
    }
  }
  if (touched !== undefined && DOTS.test(url.slice(start))) throw unfit(touched, source);
  if (firstValue !== undefined && firstValue < (AUTHORITY.exec(url)?.[0].length ?? 0)) {
    throw new HoldfastError(
      'HF_PATH_PATTERN',
      `The path of ${source} has a parameter in the host; begin it with a slash, or override url()`,
    );
  }
  return url;
}

/** The prefix as it stands before the path: with a slash between, and only one. */
function joint(prefix: string, first: PathPart | undefined): string {
  if (prefix === '' || first === undefined || prefix.endsWith('/') || /[?#]/.test(prefix)) return prefix;
  return first.name === undefined && /^[/?#]/.test(first.text) ? prefix : `${prefix}/`;
}

function unfit(part: PathPart, source: string): HoldfastError {
  const value = describe(decodeURIComponent(part.text));
  return parameterError(
    part.name ?? '',
    source,
    `is ${value}, and URLs drop such a segment; pass another value`,
  );
}
