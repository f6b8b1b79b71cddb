import { isAbort, NetworkError, reasonOf } from './NetworkError.ts';

/**
 * Sends a request.
 *
 * @param source - names the endpoint in errors
 * @throws NetworkError when the response is not ok, or (status 0) when there is none. An aborted request rejects with
 * the reason of its signal
 */
export async function sendRequest(url: string, init: RequestInit, source: string): Promise<Response> {
  const { method = 'GET' } = init;
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    if (isAbort(cause, init.signal)) throw cause;
    throw new NetworkError(
      `${method} ${url} (${source}) got no answer: ${reasonOf(cause)}; check connection, address and CORS`,
      { status: 0, url, method, cause },
    );
  }
  if (response.ok) return response;
  const { status } = response;
  throw new NetworkError(
    `${method} ${url} (${source}) was answered with ${`${status} ${response.statusText}`.trim()}; see error.response`,
    { status, url, method, response },
  );
}
