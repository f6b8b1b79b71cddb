import { HttpError } from './HttpError.mjs';
import { routes } from './routes.mjs';

/** @import { Handler } from './routes.mjs' */

const table = Object.entries(routes).map(([path, methods]) => ({ segments: path.split('/'), methods }));

/**
 * @param {string} method
 * @param {string} pathname still percent-encoded
 * @returns {{ handler: Handler, params: Record<string, string> }}
 */
export function findRoute(method, pathname) {
  const segments = pathname
    .replace(/(.)\/$/, '$1')
    .split('/')
    .map(decode);
  for (const route of table) {
    const params = match(route.segments, segments);
    if (!params) continue;
    const handler = route.methods[method === 'HEAD' ? 'GET' : method];
    if (handler) return { handler, params };
    const allowed = Object.keys(route.methods).join(', ');
    throw new HttpError(405, `${method} is not allowed here, only ${allowed}.`, {
      headers: { Allow: allowed },
    });
  }
  throw new HttpError(404, `There is nothing at ${pathname}.`);
}

/**
 * @param {string[]} pattern
 * @param {string[]} segments
 */
function match(pattern, segments) {
  if (pattern.length !== segments.length) return undefined;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith(':') && segment !== '') params[expected.slice(1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}

/** @param {string} segment */
function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError(400, `“${segment}” is not a well-formed part of a path.`);
  }
}
