import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Read } from '../plugins/Plugin.ts';
import { actionOf, localMeta, writeErrorResult, writeResponse } from '../requests/writeResponse.ts';
import { normalizeResponse } from '../requests/normalizeResponse.ts';

/** Stores a response as if the server had just sent it. */
export function setResponse(internals: ControllerInternals, read: Read, response: unknown): void {
  const { endpoint, args } = read;
  const normalized = normalizeResponse(internals, endpoint, args, response);
  const meta = localMeta(internals, endpoint.sideEffect === true, internals.dataExpiryLength(endpoint));
  writeResponse(internals, read, normalized, meta, { action: actionOf('setResponse', read), origin: 'app' });
}

/** Stores an error as if a request had just failed with it. */
export function setError(internals: ControllerInternals, read: Read, error: unknown): void {
  const meta = localMeta(internals, false, internals.errorExpiryLength(read.endpoint));
  writeErrorResult(internals, read.key, error, meta, { action: actionOf('setError', read), origin: 'app' });
}
