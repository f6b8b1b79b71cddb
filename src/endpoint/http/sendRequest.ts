import { HoldfastError } from '../../util/errors.ts';
import { isHtml, isHtmlType, isJsonType, isTextType, mediaType, readText } from './contentType.ts';
import { nameRequest, NetworkError, notTheApi, reasonOf, statusLine } from './NetworkError.ts';
import { isPortal, isSentElsewhere } from './origins.ts';
import { codeOfPage, expectsJson, requestSignals, type ResponseContext } from './readResponse.ts';

/**
 * Sends a request.
 *
 * @throws HoldfastError `HF_HEADER` if a header has a value that no request can contain
 * @throws NetworkError if the response is not ok, or (status 0) if there is none. An aborted request rejects with the
 * reason of its signal
 */
export async function sendRequest(
  url: string,
  init: RequestInit,
  context: ResponseContext,
): Promise<Response> {
  const { method = 'GET', signal } = init;
  const request = nameRequest(method, url, context.source);
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    checkHeaders(init, request);
    throw new NetworkError(
      `${request} got no response: ${reasonOf(cause)}; check connection, address and CORS`,
      { status: 0, url, method, cause },
    );
  }
  if (signal) requestSignals.set(response, signal);
  if (!response.ok) throw await refusal(response, url, init, context);
  // Without a schema, only this distinguishes it from a text.
  if (context.content === undefined && isHtmlType(mediaType(response)) && isSentElsewhere(url, response))
    throw notTheApi(request, response, { url, method, body: undefined, code: codeOfPage(context) });
  return response;
}

/** Throws if a header cannot be sent: `fetch` fails in the same way as without a connection. */
function checkHeaders({ headers }: RequestInit, request: string): void {
  // A test may replace `fetch` where there are no Headers.
  if (typeof Headers === 'undefined') return;
  try {
    new Headers(headers);
  } catch (cause) {
    throw new HoldfastError(
      'HF_HEADER',
      `${request} has a header that cannot be sent, see error.cause; encode its value, as by encodeURIComponent()`,
      { cause },
    );
  }
}

/** The error for a response that is not ok. */
export async function refusal(
  response: Response,
  url: string,
  { method = 'GET', signal }: RequestInit,
  context: ResponseContext,
): Promise<NetworkError> {
  const request = nameRequest(method, url, context.source);
  const { status } = response;
  const body = await errorBody(response, signal);
  const details = { status, url, method, response, body };
  const isForeign = expectsJson(context) && typeof body === 'string' && isHtml(mediaType(response), body);
  return isForeign || isPortal(response)
    ? notTheApi(request, response, details)
    : new NetworkError(`${request} was answered with ${statusLine(response)}; see error.body`, details);
}

/** The body of an error response, JSON parsed; undefined if it is empty or not text. */
async function errorBody(response: Response, signal: AbortSignal | null | undefined): Promise<unknown> {
  const type = mediaType(response);
  if (type !== '' && !isTextType(type)) return undefined;
  let text: string;
  try {
    // The app may read the response itself.
    text = await readText('clone' in response ? response.clone() : response);
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    // The status has arrived, and is what matters.
    return undefined;
  }
  try {
    // Some servers do not declare their JSON as JSON.
    if (isJsonType(type) || /^\s*[[{]/.test(text)) return JSON.parse(text) as unknown;
  } catch {
    // Then it is a text.
  }
  return text === '' ? undefined : text;
}
