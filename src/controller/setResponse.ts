import type { Core } from './Core.ts';
import type { Read } from './Plugin.ts';
import { actionOf, saidNow, storeError, storeResponse } from './storing.ts';
import { takeApart } from './takeApart.ts';

/** Stores a response as if the network had given it now. */
export function setResponse(core: Core, read: Read, response: unknown): void {
  const { endpoint, args } = read;
  const normalized = takeApart(core, endpoint, args, response);
  const meta = saidNow(core, endpoint.sideEffect === true, core.dataLength(endpoint));
  storeResponse(core, read, normalized, meta, { action: actionOf('setResponse', read), origin: 'app' });
}

/** Stores an error as if a request had failed with it now. */
export function setError(core: Core, read: Read, error: unknown): void {
  const meta = saidNow(core, false, core.errorLength(read.endpoint));
  storeError(core, read.key, error, meta, { action: actionOf('setError', read), origin: 'app' });
}
