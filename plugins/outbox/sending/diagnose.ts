import { withTimeout } from '../../shared/withTimeout.ts';
import { classifyFailure } from './classifyFailure.ts';

/** The diagnosis of a request without an answer, while the server answers others. */
export interface Diagnosis {
  readonly message: string;
  /** Whether the cause was observed; otherwise it may be a coincidence. */
  readonly isCertain: boolean;
}

/** The timeout of a probe, in ms. */
const PROBE_TIMEOUT = 10_000;

/**
 * Finds out why a request got no answer. Sends only `HEAD` requests, which change nothing: first one like the page's own
 * requests but without the header, then one with it. If the page may not read the answer to the first, an opaque one,
 * which needs no CORS permission, tells whether there is any.
 *
 * @param error - the error of the attempt
 * @param header - the header that the outbox has added
 * @returns `'unreachable'` if the server answers nothing, or says that it is down; undefined if that cannot be determined
 */
export async function diagnose(
  error: unknown,
  header: string | undefined,
): Promise<Diagnosis | 'unreachable' | undefined> {
  const { url, method } = Object(error) as { readonly url?: unknown; readonly method?: unknown }; // read by name
  if (typeof url !== 'string' || !/^https?:/.test(url)) return undefined;
  const plain = await statusOf(url);
  // A proxy in front of a server that is down may answer without CORS headers, so this alone proves nothing.
  if (plain === undefined)
    return (await statusOf(url, { mode: 'no-cors' })) === undefined ? 'unreachable' : undefined;
  if (classifyFailure({ status: plain }, 0).isTransient) return 'unreachable';
  const what = `${String(method)} ${url} gets no response, while the server answers others`;
  if (header !== undefined && (await statusOf(url, { headers: { [header]: 'probe' } })) === undefined)
    return {
      message: `${what}: it does not allow the header ${header}; send Access-Control-Allow-Headers: ${header}, or set idempotencyHeader: false`,
      isCertain: true,
    };
  const headers = header === undefined ? 'the headers' : `the header ${header} and the others`;
  return {
    message: `${what}; check that its responses to preflight requests allow this origin, the method ${String(method)} and ${headers} (Access-Control-Allow-…), and that no proxy or extension blocks it`,
    isCertain: false,
  };
}

/** The status of the response; undefined if the page gets none. */
async function statusOf(url: string, init: RequestInit = {}): Promise<number | undefined> {
  const probe = new AbortController(); // Safari before 16 has no `AbortSignal.timeout`
  const { signal } = probe;
  try {
    // It throws where there is no `fetch`.
    const response = fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit', signal, ...init });
    return (await withTimeout(PROBE_TIMEOUT, response, url)).status;
  } catch {
    return undefined;
  } finally {
    probe.abort();
  }
}
