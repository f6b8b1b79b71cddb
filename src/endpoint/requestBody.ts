/** A body ready to be sent. */
export interface EncodedBody {
  readonly body: BodyInit | undefined;
  /** Whether it was written as JSON here, so that the content type is known. */
  readonly isJson: boolean;
  /** Whether it is a stream, which `fetch` sends only with `duplex: 'half'`. */
  readonly isStream: boolean;
}

/** What `fetch` sends as it is, by tag: in tests and frames these classes exist more than once. */
const SENT_AS_IS = new Set([
  'FormData',
  'Blob',
  'File',
  'URLSearchParams',
  'ArrayBuffer',
  'SharedArrayBuffer',
  'ReadableStream',
]);

/** Writes objects, lists, numbers and booleans as JSON; null and undefined are no body; the rest is sent as it is. */
export function encodeBody(body: unknown): EncodedBody {
  if (body === undefined || body === null) return { body: undefined, isJson: false, isStream: false };
  const tag = Object.prototype.toString.call(body).slice('[object '.length, -1);
  if (typeof body === 'string' || SENT_AS_IS.has(tag) || ArrayBuffer.isView(body)) {
    return { body: body as BodyInit, isJson: false, isStream: tag === 'ReadableStream' }; // one of the kinds just listed
  }
  return { body: JSON.stringify(body), isJson: true, isStream: false };
}
