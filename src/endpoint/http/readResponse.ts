import { Delete } from '../../schema/Delete.ts';
import { isEntity } from '../../schema/isEntity.ts';
import type { Schema } from '../../schema/Schema.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import { createdRecord } from './createdRecord.ts';
import { isHtml, isJsonType, isTextType, mediaType, readText } from './contentType.ts';
import { nameRequest, NetworkError, notTheApi, reasonOf } from './NetworkError.ts';

/** How a response's body is read; undefined decides by its content type. */
export type Content = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** The properties of an endpoint that reading a response depends on. */
export interface ResponseContext {
  /** Names the endpoint in errors. */
  readonly source: string;
  readonly method: string;
  readonly content: Content | undefined;
  readonly schema: Schema;
  readonly sideEffect: boolean | undefined;
  /** Whether the endpoint's own `process` converts the parsed response to the schema's shape. */
  readonly isProcessed: boolean;
  /** The field of the pk that the server assigns; undefined if the request creates nothing. */
  readonly pkField: string | undefined;
  /** Aborts the request. */
  readonly signal: AbortSignal | null | undefined;
}

/** Response → the signal of its request, if it had one: a `fetchResponse` may pass another than the endpoint's. */
export const requestSignals = new WeakMap<Response, AbortSignal>();

/**
 * Reads a response's body: JSON and text by content type, anything else as a Blob; null if it is empty. If the response
 * of a mutation with a schema has no record, it is null, too, or a record with only the pk of what was created: see
 * `createdRecord`.
 *
 * @throws HoldfastError `HF_RESPONSE_PARSE` for a body that should be JSON and is not, `HF_SHAPE` for a read with a
 * schema whose response is not JSON; NetworkError with status 0 if the connection fails during the body, or for a web
 * page in place of the API's response (its code is `HF_SHAPE`, too, for a read with a schema)
 */
export async function readResponse(response: Response, context: ResponseContext): Promise<unknown> {
  const { content, method, source } = context;
  if (process.env.NODE_ENV !== 'production') checkContent(context);
  if (content === 'stream') return response.body;
  try {
    if (content === 'text') return await readText(response);
    if (content !== undefined && content !== 'json') return await response[content]();
    const type = mediaType(response);
    const isText = content === 'json' || wantsData(context) || isTextType(type);
    return isText
      ? parse(await readText(response), type, response, context)
      : await read(type, response, context);
  } catch (cause) {
    const signal = requestSignals.get(response) ?? context.signal;
    // The name of the error does not show it: Firefox also throws an `AbortError` if the connection is reset.
    if (cause instanceof HoldfastError || signal?.aborted === true) throw cause;
    throw new NetworkError(
      `${nameRequest(method, response.url, source)} broke off: ${reasonOf(cause)}; try again`,
      { status: 0, url: response.url, method, cause },
    );
  }
}

/** In development, warns about a body whose type the schema cannot describe. */
function checkContent(context: ResponseContext): void {
  const { source, schema, content } = context;
  if (content === undefined || content === 'json' || !wantsData(context)) return;
  warnOnce(
    Object(schema) as object, // wantsData() excludes everything else
    'HF_CONTENT',
    `${source} has a schema, which describes JSON, and reads its responses by \`content: '${content}'\`; remove one of the two, or convert the response in process()`,
    source,
  );
}

/**
 * Whether a web page cannot be a response of the endpoint's API. A mutation that responds with one declares it by
 * `content`.
 */
export function expectsJson({ content, schema, sideEffect }: ResponseContext): boolean {
  if (content !== undefined) return content === 'json';
  return sideEffect === true || isDescriptive(schema);
}

/** The code of the error for a web page that arrived with a status of 2xx. */
export function codeOfPage({ schema, sideEffect }: ResponseContext): 'HF_SHAPE' | undefined {
  return sideEffect !== true && isDescriptive(schema) ? 'HF_SHAPE' : undefined;
}

/** Whether text cannot be a response of this endpoint. Servers answer deletions with anything. */
function wantsData({ schema, isProcessed }: ResponseContext): boolean {
  return !isProcessed && !(schema instanceof Delete) && isDescriptive(schema);
}

function isDescriptive(schema: Schema): boolean {
  return isEntity(schema) || (typeof schema === 'object' && schema !== null);
}

/** A body whose type is not text; without a type, one whose bytes are not text. */
async function read(type: string, response: Response, context: ResponseContext): Promise<unknown> {
  const blob = await response.blob();
  if (blob.size === 0) return null;
  if (type !== '') return blob;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await blob.arrayBuffer());
  } catch {
    return blob;
  }
  return parse(text, type, response, context);
}

function parse(body: string, type: string, response: Response, context: ResponseContext): unknown {
  const { source, method, content, schema, sideEffect, pkField } = context;
  const isData = wantsData(context);
  const isJson = content === 'json' || isJsonType(type);
  const text = isJson || isData ? body.trim() : body;
  const isRead = isData && sideEffect !== true;
  const recordIn = (value: unknown): unknown =>
    isData && !isRead ? createdRecord(value, response, schema, pkField) : value;
  if (text === '' && !isRead) return recordIn(null);
  let cause: unknown;
  try {
    // Some servers do not declare their JSON as JSON.
    if (isJson || isData || (isDescriptive(schema) && /^\s*[[{]/.test(text)))
      return recordIn(JSON.parse(text));
  } catch (error) {
    cause = error;
  }
  const request = nameRequest(method, response.url, source);
  if ((isJson || expectsJson(context)) && isHtml(type, text))
    throw notTheApi(request, response, {
      url: response.url,
      method,
      body: text,
      code: codeOfPage(context),
    });
  if (!isJson && !isData) return text;
  // Such as `OK`: the server has made the change, and sends no record.
  if (!isJson && !isRead && /^text\/(?:plain|html)$/.test(type) && !/^[[{]/.test(text)) return recordIn(text);
  throw new HoldfastError(
    isRead && (text === '' || !isJson) ? 'HF_SHAPE' : 'HF_RESPONSE_PARSE',
    `The response of ${source} (${method} ${response.url}, status ${response.status}) should be JSON, but ${describe(text)} arrived as ${type || 'no content type'}; send JSON, or set \`content\` for another type; for other text, override parseResponse()`,
    { cause },
  );
}
