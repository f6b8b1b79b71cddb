import type { Token } from 'path-to-regexp';
import type { PathPattern } from '../url/path.ts';

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
