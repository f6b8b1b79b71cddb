import { parse, type Token } from 'path-to-regexp';
import { describe, HoldfastError } from '../../util/errors.ts';
import { warnOnce } from '../../util/warnOnce.ts';

/** A parsed path pattern. */
export interface PathPattern {
  readonly tokens: readonly Token[];
  /** All parameters in the pattern. */
  readonly names: ReadonlySet<string>;
  /** Whether one of them is outside every optional group. */
  readonly isRequiring: boolean;
}

/** A part of a built path: text of the pattern, or a parameter's encoded value. */
export type PathPart =
  | { readonly text: string; readonly name?: undefined }
  | { readonly text: string; readonly name: string };

/**
 * Parses a path pattern: `:name`, `:"any name"`, optional `{/:name}`, wildcard `*name`, and `\` before a literal
 * character, as in `/search\\?q=:q`.
 *
 * @throws HoldfastError `HF_PATH_PATTERN`
 */
export function parsePath(pattern: string): PathPattern {
  let tokens: readonly Token[];
  try {
    ({ tokens } = parse(pattern));
  } catch (cause) {
    const reason = (cause as Error).message.replace(/; visit .*$/, ''); // of path-to-regexp
    throw new HoldfastError(
      'HF_PATH_PATTERN',
      `The path pattern ${JSON.stringify(pattern)} cannot be parsed: ${reason}; escape literal characters with a backslash, and pass the origin as urlPrefix`,
      { cause },
    );
  }
  if (process.env.NODE_ENV !== 'production') checkGroups(pattern, tokens);
  const names = new Set<string>();
  collectNames(tokens, names);
  const isRequiring = tokens.some((token) => 'name' in token);
  return { tokens, names, isRequiring };
}

/**
 * In development, warns about a whole segment in braces, as in OpenAPI: in `/users/{id}`, that is the text `id` in an
 * optional group.
 */
function checkGroups(pattern: string, tokens: readonly Token[]): void {
  tokens.forEach((token, place) => {
    const before = tokens[place - 1];
    const [inner] = token.type === 'group' && token.tokens.length === 1 ? token.tokens : [];
    if (before?.type !== 'text' || !before.value.endsWith('/')) return;
    if (inner?.type !== 'text' || !/^[\w-]+$/.test(inner.value)) return;
    const { value } = inner;
    const parameter = value.includes('-') ? `:"${value}"` : `:${value}`;
    warnOnce(
      checkGroups,
      'HF_PATH_PATTERN',
      `The path pattern ${JSON.stringify(pattern)} has no parameter in {${value}}, only text; write ${pattern.replace(`{${value}}`, parameter)} for a parameter`,
      pattern,
    );
  });
}

/**
 * Replaces parameters by encoded values. A group is left out if one of its parameters is missing.
 *
 * @param params - own members only; undefined and null count as missing
 * @param source - names the endpoint in errors
 * @throws HoldfastError `HF_PATH_PARAMETER`
 */
export function fillPath(pattern: PathPattern, params: object, source: string): readonly PathPart[] {
  const filled = fill(pattern.tokens, params, source);
  if (typeof filled === 'string')
    throw new HoldfastError(
      'HF_PATH_PARAMETER',
      `The parameter \`${filled}\` of ${source} is missing; pass it, or null in place of the arguments to read nothing`,
    );
  // A group that lacks one parameter omits its others too: throw rather than ignore given values.
  const used = new Set(filled.map((part) => part.name));
  for (const name of pattern.names) {
    if (!used.has(name) && given(params, name) !== undefined) {
      throw new HoldfastError(
        'HF_PATH_PARAMETER',
        `The parameter \`${name}\` of ${source} lacks another parameter of its optional group; pass all of a group or none`,
      );
    }
  }
  return filled;
}

/**
 * The parameter in the last segment of a path, as `id` in `/tasks/:id`, `/tasks/:id/` and `/tasks/:id.json`; undefined
 * if that segment has none.
 */
export function lastParam({ tokens }: Pick<PathPattern, 'tokens'>): string | undefined {
  const last = tokens.at(-1);
  if (last?.type === 'group') return lastParam(last);
  // The rest of the segment, and a query.
  if (last?.type === 'text' && /^[^/?]*\/?(?:\?.*)?$/.test(last.value))
    return lastParam({ tokens: tokens.slice(0, -1) });
  return last?.type === 'text' ? undefined : last?.name;
}

/** Fills in a sequence of tokens; returns the name of a missing parameter. */
function fill(tokens: readonly Token[], params: object, source: string): PathPart[] | string {
  const parts: PathPart[] = [];
  for (const token of tokens) {
    if (token.type === 'text') {
      parts.push({ text: token.value });
    } else if (token.type === 'group') {
      const inner = fill(token.tokens, params, source);
      if (typeof inner !== 'string') parts.push(...inner);
    } else {
      const value = given(params, token.name);
      if (value === undefined) return token.name;
      if (token.type === 'param') parts.push({ text: encode(value, token.name, source), name: token.name });
      else parts.push(...wildcard(value, token.name, source));
    }
  }
  return parts;
}

function wildcard(value: unknown, name: string, source: string): PathPart[] {
  const segments: unknown = typeof value === 'string' ? value.split('/') : value;
  if (!Array.isArray(segments) || segments.length === 0)
    throw new HoldfastError(
      'HF_PATH_PARAMETER',
      `The parameter \`${name}\` of ${source} is ${describe(value)}; pass a path, or a list of at least one segment`,
    );
  return (segments as readonly unknown[]).flatMap((member, index) => [
    ...(index === 0 ? [] : [{ text: '/' }]),
    { text: encode(member, name, source), name },
  ]);
}

/** Own members only: a parameter may be named `constructor`, and inherited members were not passed. */
function given(params: object, name: string): unknown {
  if (!Object.hasOwn(params, name)) return undefined;
  return (params as Readonly<Record<string, unknown>>)[name] ?? undefined;
}

function encode(value: unknown, name: string, source: string): string {
  const isText = typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean';
  if (!isText && !Number.isFinite(value))
    throw new HoldfastError(
      'HF_PATH_PARAMETER',
      `The parameter \`${name}\` of ${source} is ${describe(value)}; pass a string or number`,
    );
  try {
    return encodeURIComponent(String(value));
  } catch (cause) {
    // Half of a surrogate pair cannot be encoded.
    throw new HoldfastError(
      'HF_PATH_PARAMETER',
      `The parameter \`${name}\` of ${source} is ${describe(value)}; pass a well-formed string`,
      { cause },
    );
  }
}

function collectNames(tokens: readonly Token[], names: Set<string>): void {
  for (const token of tokens) {
    if (token.type === 'group') collectNames(token.tokens, names);
    else if (token.type !== 'text') names.add(token.name);
  }
}

/** Matches the keys (`GET https://…`) of an endpoint over HTTP, for all parameters, queries and bodies. */
export function keyPattern(method: string, prefix: string, pattern: PathPattern): RegExp {
  const state = { query: /[?#]/.test(prefix) };
  const source = sourceOf(pattern.tokens, state);
  const path = source === escape('/') ? '' : source;
  return new RegExp(
    `^${escape(`${method} ${prefix.replace(/\/$/, '')}`)}/?${path.replace(/^\//, '')}(?:[?& ][^]*)?$`,
  );
}

function sourceOf(tokens: readonly Token[], state: { query: boolean }): string {
  return tokens
    .map((token) => {
      if (token.type === 'text') {
        state.query ||= token.value.includes('?');
        return escape(token.value);
      }
      if (token.type === 'group') return `(?:${sourceOf(token.tokens, state)})?`;
      // Values are encoded, so none contains a delimiter of URLs. In a query they may be empty.
      const segment = `[^/?#& ]${state.query ? '*' : '+'}`;
      return token.type === 'param' ? segment : `${segment}(?:/${segment})*`;
    })
    .join('');
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
