/** @import { IncomingMessage } from 'node:http' */

const local = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * @param {IncomingMessage} request
 * @param {readonly string[]} origins allowed besides every port of this machine
 * @returns {Record<string, string>}
 */
export function corsHeaders(request, origins) {
  const { origin } = request.headers;
  /** @type {Record<string, string>} */
  const headers = { Vary: 'Origin' };
  if (!origin || !(local.test(origin) || origins.includes(origin))) return headers;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = 'Location, Idempotency-Replayed';
  if (request.method === 'OPTIONS') {
    headers['Access-Control-Allow-Methods'] = 'GET, HEAD, POST, PUT, PATCH, DELETE';
    headers['Access-Control-Allow-Headers'] = 'Content-Type, Accept, Authorization, Idempotency-Key';
    headers['Access-Control-Max-Age'] = '600';
  }
  return headers;
}
