/** A body ready to be sent. */
export interface EncodedBody {
  /** The body for `fetch`; absent if there is none. */
  readonly init: RequestInit;
  /** Whether it was encoded as JSON here, so that the content type is known. */
  readonly isJson: boolean;
}

/** Bodies that `fetch` sends unchanged, by tag: in tests and frames these classes exist several times. */
const SENT_AS_IS = new Set([
  'FormData',
  'Blob',
  'File',
  'URLSearchParams',
  'ArrayBuffer',
  'SharedArrayBuffer',
  'ReadableStream',
]);

/**
 * Encodes objects, lists, numbers and booleans as JSON; null and undefined mean no body; the rest is sent unchanged.
 */
export function encodeBody(body: unknown): EncodedBody {
  if (body === undefined || body === null) return { init: {}, isJson: false };
  const tag = Object.prototype.toString.call(body).slice('[object '.length, -1);
  const isSentAsIs = typeof body === 'string' || SENT_AS_IS.has(tag) || ArrayBuffer.isView(body);
  if (!isSentAsIs) return { init: { body: JSON.stringify(body) }, isJson: true };
  const init = { body: body as BodyInit, ...(tag === 'ReadableStream' && { duplex: 'half' }) }; // one of the kinds just listed
  return { init, isJson: false };
}
