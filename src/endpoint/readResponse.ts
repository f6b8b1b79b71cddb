import { Delete } from '../schema/Delete.ts';
import { isEntity } from '../schema/isEntity.ts';
import type { Schema } from '../schema/Schema.ts';
import { describe, HoldfastError } from '../util/errors.ts';
import { warnOnce } from '../util/warnOnce.ts';
import { isHtml, isJsonType, isTextType, mediaType } from './contentType.ts';
import { isAbort, nameRequest, NetworkError, notTheApi, reasonOf } from './NetworkError.ts';

/** How a response's body is read; undefined decides by its content type. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** What reading a response needs to know of its endpoint. */
export interface Reading {
  /** Names the endpoint in errors. */
  readonly source: string;
  readonly method: string;
  readonly content: Content | undefined;
  readonly schema: Schema;
  readonly sideEffect: boolean | undefined;
  /** Whether the endpoint's own `process` makes what the schema describes of what is read. */
  readonly isProcessed: boolean;
  /** What aborts the request. */
  readonly signal: AbortSignal | null | undefined;
}

/**
 * Reads a response's body: JSON and text by content type, anything else as a Blob; null when it is empty.
 *
 * @throws HoldfastError `HF_RESPONSE_PARSE` for a body that is not the JSON it should be, `HF_SHAPE` for a read without the
 * JSON that its schema describes; NetworkError with status 0 when the connection fails while the body arrives, or a web
 * page came in place of the API's answer
 */
export async function readResponse(response: Response, reading: Reading): Promise<unknown> {
  const { content, method, source } = reading;
  if (process.env.NODE_ENV !== 'production') checkContent(reading);
  if (content === 'stream') return response.body;
  try {
    if (content !== undefined && content !== 'json') return await response[content]();
    const type = mediaType(response);
    const isText = content === 'json' || wantsData(reading) || isTextType(type);
    return isText
      ? parse(await response.text(), type, response, reading)
      : await read(type, response, reading);
  } catch (cause) {
    if (cause instanceof HoldfastError || isAbort(cause, reading.signal)) throw cause;
    throw new NetworkError(
      `${nameRequest(method, response.url, source)} broke off: ${reasonOf(cause)}; try again`,
      { status: 0, url: response.url, method, cause },
    );
  }
}

/** In development, warns of a body that is read as something that the schema cannot describe. */
function checkContent(reading: Reading): void {
  const { source, schema, content } = reading;
  if (content === undefined || content === 'json' || !wantsData(reading)) return;
  warnOnce(
    Object(schema) as object, // wantsData() leaves nothing else
    'HF_CONTENT',
    `${source} has a schema, which describes JSON, and reads its responses by \`content: '${content}'\`; leave out one of the two, or make what the schema describes in process()`,
    source,
  );
}

/** Whether a web page cannot be what the endpoint's API answers. A mutation that has one for an answer says so by `content`. */
export function expectsJson({ content, schema, sideEffect }: Reading): boolean {
  if (content !== undefined) return content === 'json';
  return sideEffect === true || isDescriptive(schema);
}

/** Whether text would not do as a response of this endpoint. Deletions are answered with whatever servers like. */
function wantsData({ schema, isProcessed }: Reading): boolean {
  return !isProcessed && !(schema instanceof Delete) && isDescriptive(schema);
}

function isDescriptive(schema: Schema): boolean {
  return isEntity(schema) || (typeof schema === 'object' && schema !== null);
}

/** A body that is no text by its type; without a type, one that is no text by its bytes. */
async function read(type: string, response: Response, reading: Reading): Promise<unknown> {
  const blob = await response.blob();
  if (blob.size === 0) return null;
  if (type !== '') return blob;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await blob.arrayBuffer());
  } catch {
    return blob;
  }
  return parse(text, type, response, reading);
}

function parse(text: string, type: string, response: Response, reading: Reading): unknown {
  const { source, method, content, sideEffect } = reading;
  const isData = wantsData(reading);
  const isRead = isData && sideEffect !== true;
  if (text === '' && !isRead) return null;
  const isJson = content === 'json' || isJsonType(type);
  let cause: unknown;
  try {
    // Some servers do not say that what they send is JSON.
    if (isJson || isData) return JSON.parse(text) as unknown;
  } catch (error) {
    cause = error;
  }
  const request = nameRequest(method, response.url, source);
  if ((isJson || expectsJson(reading)) && isHtml(type, text))
    throw notTheApi(request, response, { url: response.url, method, body: text });
  if (!isJson && !isData) return text;
  throw new HoldfastError(
    isRead && (text === '' || !isJson) ? 'HF_SHAPE' : 'HF_RESPONSE_PARSE',
    `The response of ${source} (${method} ${response.url}, status ${response.status}) should be JSON, but ${describe(text)} arrived as ${type || 'no content type'}; send JSON, or set \`content\` for something else; for other text, override parseResponse()`,
    { cause },
  );
}
