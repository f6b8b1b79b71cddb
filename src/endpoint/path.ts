import { parse, type Token } from 'path-to-regexp';
import { describe, HoldfastError } from '../util/errors.ts';

/** A parsed path pattern. */
export interface PathPattern {
  readonly tokens: readonly Token[];
  /** Every parameter that the pattern names. */
  readonly names: ReadonlySet<string>;
  /** Whether one of them stands outside every optional group. */
  readonly isRequiring: boolean;
}

/** A part of a built path: text of the pattern, or a parameter's encoded value. */
export type PathPart =
  { readonly text: string; readonly name?: undefined } | { readonly text: string; readonly name: string };

/**
 * Parses a path pattern: `:name`, `:"any name"`, optional `{/:name}`, wildcard `*name`, and `\` before a character
 * that stands for itself, as in `/search\\?q=:q`.
 *
 * @throws HoldfastError `HF_PATH_PATTERN`
 */
export function parsePath(pattern: string): PathPattern {
  let tokens: readonly Token[];
  try {
    ({ tokens } = parse(pattern));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/; visit .*$/, '') : String(cause);
    throw new HoldfastError(
      'HF_PATH_PATTERN',
      `The path pattern ${describe(pattern)} cannot be read: ${reason}; write \\\\ before a character that stands for itself`,
      { cause },
    );
  }
  const names = new Set<string>();
  collectNames(tokens, names);
  const isRequiring = tokens.some((token) => 'name' in token);
  return { tokens, names, isRequiring };
}

/**
 * Puts encoded values in the place of parameters. A group is left out when one of its parameters is not given.
 *
 * @param params - own members only; undefined and null are not given
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
  // A group that lacks one parameter takes the others with it: say so rather than drop what was given.
  const used = new Set(filled.map((part) => part.name));
  for (const name of pattern.names) {
    if (!used.has(name) && given(params, name) !== undefined) {
      throw new HoldfastError(
        'HF_PATH_PARAMETER',
        `The parameter \`${name}\` of ${source} lacks another one of its optional group; pass all of a group or none`,
      );
    }
  }
  return filled;
}

/** The parameter that a path ends with; undefined where it ends with text. */
export function lastParam({ tokens }: Pick<PathPattern, 'tokens'>): string | undefined {
  const last = tokens.at(-1);
  if (last?.type === 'group') return lastParam(last);
  return last?.type === 'param' ? last.name : undefined;
}

/** Fills in a run of tokens; the name of a parameter that is missing. */
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
  if (!Array.isArray(value) || value.length === 0)
    throw new HoldfastError(
      'HF_PATH_PARAMETER',
      `The parameter \`${name}\` of ${source} is ${describe(value)}; pass a list of at least one segment`,
    );
  return (value as readonly unknown[]).flatMap((member, index) => [
    ...(index === 0 ? [] : [{ text: '/' }]),
    { text: encode(member, name, source), name },
  ]);
}

/** Own members only: a parameter may be called `constructor`, and what an object inherits is not given. */
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
    // Half of a surrogate pair has no encoding.
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
