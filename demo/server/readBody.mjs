import { HttpError } from './HttpError.mjs';

/** @import { IncomingMessage } from 'node:http' */

/**
 * @param {IncomingMessage} request
 * @param {number} limit bytes
 * @returns {Promise<Record<string, unknown>>} the JSON object that was sent
 */
export async function readBody(request, limit) {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) {
    throw new HttpError(415, 'Send JSON, with “Content-Type: application/json”.');
  }
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new HttpError(400, 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, 'The body is not a JSON object.');
  }
  return /** @type {Record<string, unknown>} */ (value);
}

/** @param {number} limit */
function tooLarge(limit) {
  // The rest of the body is not read, so the connection cannot be used again.
  return new HttpError(413, `The body is larger than ${limit} bytes.`, { headers: { Connection: 'close' } });
}
