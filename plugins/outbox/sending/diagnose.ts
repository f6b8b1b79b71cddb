import { withTimeout } from '../../shared/withTimeout.ts';

/** The diagnosis of a request without an answer, while the server answers others. */
export interface Diagnosis {
  readonly message: string;
  /** Whether the cause was observed; otherwise it may be a coincidence. */
  readonly isCertain: boolean;
}

/** The timeout of a probe, in ms. */
const PROBE_TIMEOUT = 10_000;

/**
 * Finds out why a request got no answer. Sends only `HEAD` requests, which change nothing: first an opaque one
 * without the header, which needs no CORS permission, then like the page's own requests with and without the header.
 *
 * @param error - the error of the attempt
 * @param header - the header that the outbox has added
 * @returns `'unreachable'` if the server answers nothing; undefined if that cannot be determined
 */
export async function diagnose(
  error: unknown,
  header: string | undefined,
): Promise<Diagnosis | 'unreachable' | undefined> {
  const { url, method } = Object(error) as { readonly url?: unknown; readonly method?: unknown }; // read by name
  if (typeof url !== 'string' || !/^https?:/.test(url)) return undefined;
  if (!(await getsAnswer(url, { mode: 'no-cors' }))) return 'unreachable';
  const what = `${String(method)} ${url} gets no response, while the server answers others`;
  if (
    header !== undefined &&
    !(await getsAnswer(url, { headers: { [header]: 'probe' } })) &&
    (await getsAnswer(url))
  )
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

/** Whether the page gets any response. */
async function getsAnswer(url: string, init: RequestInit = {}): Promise<boolean> {
  const probe = new AbortController(); // Safari before 16 has no `AbortSignal.timeout`
  const { signal } = probe;
  try {
    // It throws where there is no `fetch`.
    const response = fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit', signal, ...init });
    await withTimeout(PROBE_TIMEOUT, response, url);
    return true;
  } catch {
    return false;
  } finally {
    probe.abort();
  }
}
