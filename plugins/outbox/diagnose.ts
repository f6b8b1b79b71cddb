/** What was found out about a request that got no answer, while the server gives others one. */
export interface Finding {
  readonly message: string;
  /** Whether it was seen what is in the way. What happens once may be chance. */
  readonly isCertain: boolean;
}

/** For how long an answer is waited for, in ms. */
const PATIENCE = 10_000;

/**
 * Finds out why a request got no answer. Asks by `HEAD` only, which changes nothing: without the header and not to be read,
 * which needs nobody's consent; and then with and without the header as the page's own requests are made.
 *
 * @param error - what the attempt failed with
 * @param header - what the outbox has added to the request
 * @returns `'unreachable'` where the server answers nothing; undefined where that cannot be found out
 */
export async function diagnose(
  error: unknown,
  header: string | undefined,
): Promise<Finding | 'unreachable' | undefined> {
  const { url, method } = Object(error) as { readonly url?: unknown; readonly method?: unknown }; // read by name
  if (typeof url !== 'string' || !/^https?:/.test(url)) return undefined;
  if (!(await isAnswered(url, { mode: 'no-cors' }))) return 'unreachable';
  const what = `${String(method)} ${url} gets no answer, while the server answers others`;
  if (
    header !== undefined &&
    !(await isAnswered(url, { headers: { [header]: 'probe' } })) &&
    (await isAnswered(url))
  )
    return {
      message: `${what}: it does not allow the header ${header}; have it answer with Access-Control-Allow-Headers: ${header}, or set idempotencyHeader: false`,
      isCertain: true,
    };
  const headers = header === undefined ? 'the headers' : `the header ${header} and the others`;
  return {
    message: `${what}; see that its answers to preflight requests allow this origin, the method ${String(method)} and ${headers} (Access-Control-Allow-…), and that nothing on the way blocks it`,
    isCertain: false,
  };
}

/** Whether anything comes back that the page may know of. */
function isAnswered(url: string, init: RequestInit = {}): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE);
  return fetch(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit', signal, ...init }).then(
    () => true,
    () => false,
  );
}
