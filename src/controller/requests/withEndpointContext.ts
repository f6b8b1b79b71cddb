import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { shapeOf } from '../../schema/shapeOf.ts';
import { HoldfastError } from '../../util/errors.ts';

/** Stores a response, and adds the endpoint's name to errors of the store. */
export function withEndpointContext<T>(endpoint: EndpointInterface, store: () => T): T {
  try {
    return store();
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.code !== 'HF_TOO_DEEP') throw error;
    throw new HoldfastError(
      'HF_TOO_DEEP',
      `The response of ${endpoint.name} (${shapeOf(endpoint.schema) || 'plain data'}) nests too many objects or lists; return flatter data`,
      { cause: error },
    );
  }
}
