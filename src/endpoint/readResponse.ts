import { Delete } from '../schema/Delete.ts';
import { isEntity } from '../schema/isEntity.ts';
import type { Schema } from '../schema/Schema.ts';
import { describe, HoldfastError } from '../util/errors.ts';
import { isAbort, NetworkError, reasonOf } from './NetworkError.ts';

/** How a response's body is read; undefined decides by its content type. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** What reading a response needs to know of its endpoint. */
export interface Reading {
  /** Names the endpoint in errors. */
  readonly source: string;
  readonly method: string;
  readonly content: Content | undefined;
  /** The endpoint's schema; undefined where any text will do. */
  readonly schema: Schema;
  /** What aborts the request. */
  readonly signal: AbortSignal | null | undefined;
}

/**
 * Reads a response's body: JSON by content type (`application/json`, `…+json`), else text; null when it is empty.
 *
 * @throws HoldfastError `HF_RESPONSE_PARSE` for a body that is not the JSON it should be; NetworkError with status 0
 * when the connection fails while the body arrives
 */
export async function readResponse(response: Response, reading: Reading): Promise<unknown> {
  const { content, method, source } = reading;
  if (content === 'stream') return response.body;
  try {
    if (content !== undefined && content !== 'json') return await response[content]();
    return parse(await response.text(), response, reading);
  } catch (cause) {
    if (cause instanceof HoldfastError || isAbort(cause, reading.signal)) throw cause;
    throw new NetworkError(`${method} ${response.url} (${source}) broke off: ${reasonOf(cause)}; try again`, {
      status: 0,
      url: response.url,
      method,
      cause,
    });
  }
}

/** Whether text would not do as a response of this schema. Deletions are answered with whatever servers like. */
function wantsData(schema: Schema): boolean {
  if (schema instanceof Delete) return false;
  return isEntity(schema) || (typeof schema === 'object' && schema !== null);
}

function parse(text: string, response: Response, reading: Reading): unknown {
  if (text === '') return null;
  const { source, method, content, schema } = reading;
  const type = response.headers.get('content-type') ?? '';
  let cause: unknown;
  try {
    if (content === 'json' || isJsonType(type)) return JSON.parse(text) as unknown;
    if (!wantsData(schema)) return text;
  } catch (error) {
    cause = error;
  }
  throw new HoldfastError(
    'HF_RESPONSE_PARSE',
    `The response of ${source} (${method} ${response.url}, status ${response.status}) should be JSON, but ${describe(text)} arrived as ${type || 'no content type'}; send JSON as application/json, or set \`content: 'json'\`; for other text, override parseResponse(); an HTML page often means that no API answers at this URL`,
    { cause },
  );
}

function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\b/i.test(type);
}
