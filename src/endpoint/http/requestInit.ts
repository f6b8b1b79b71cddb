/** The type of the DOM, for a service: the types of Node 20 do not have this name. */
export type HeadersInit = NonNullable<RequestInit['headers']>;

/** Headers as a plain object, which can be spread. Names keep their case if they came in a plain object. */
export function headersObject(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined) return {};
  // Tuples and Headers, also those of a polyfill, go through Headers, which joins the values of a repeated name.
  const isPlain = !(Symbol.iterator in headers);
  return Object.fromEntries(isPlain ? Object.entries(headers) : new Headers(headers));
}

/** Whether headers contain a name, in any case. */
export function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((key) => key.toLowerCase() === name.toLowerCase());
}

/**
 * Merges request options. Headers are merged by name, whatever form they have; of all other options the added one
 * wins.
 */
export function mergeRequestInit(base: RequestInit | undefined, added: RequestInit | undefined): RequestInit {
  const merged = { ...base, ...added };
  if (base?.headers === undefined) return merged;
  const addedHeaders = headersObject(added?.headers);
  const kept = Object.entries(headersObject(base.headers)).filter(([name]) => !hasHeader(addedHeaders, name));
  return { ...merged, headers: { ...Object.fromEntries(kept), ...addedHeaders } };
}

/**
 * Whether `fetch` has an HTTP cache, and a mode to control it: in pages and workers, unlike on servers. Polyfills and
 * some server runtimes do not know the mode, or treat it as something else.
 */
export function hasHttpCache(): boolean {
  try {
    return 'onLine' in navigator && 'cache' in Request.prototype;
  } catch {
    return false; // Node before 21 has no `navigator`, Jest's jsdom no `Request`
  }
}

/** A body ready to be sent. */
interface EncodedBody {
  /** The body for `fetch`; absent if there is none. */
  readonly init: RequestInit;
  /** Whether it was encoded as JSON here, so that the content type is known. */
  readonly isJson: boolean;
}

/** Bodies that `fetch` sends unchanged, by tag: in tests and frames these classes exist several times. */
const SENT_AS_IS = ['FormData', 'Blob', 'File', 'URLSearchParams', 'ArrayBuffer', 'ReadableStream'];

/** Whether a value is of a class that a polyfill has defined without a tag, as React Native does. */
function isPolyfilled(name: string, value: unknown): boolean {
  const Class = (globalThis as Readonly<Record<string, unknown>>)[name];
  return typeof Class === 'function' && value instanceof Class;
}

/**
 * Encodes objects, lists, numbers and booleans as JSON; null and undefined mean no body; the rest is sent unchanged.
 */
export function encodeBody(body: unknown): EncodedBody {
  if (body === undefined || body === null) return { init: {}, isJson: false };
  const tag = Object.prototype.toString.call(body).slice('[object '.length, -1);
  const isSentAsIs =
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    SENT_AS_IS.some((name) => tag === name || isPolyfilled(name, body));
  if (!isSentAsIs) return { init: { body: JSON.stringify(body) }, isJson: true };
  const init = { body: body as BodyInit, ...(tag === 'ReadableStream' && { duplex: 'half' }) }; // one of the kinds just listed
  return { init, isJson: false };
}
