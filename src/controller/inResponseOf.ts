import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { HoldfastError } from '../util/errors.ts';

/** Stores a response; what the store refuses without knowing where it came from is told with the endpoint's name. */
export function inResponseOf<T>(endpoint: EndpointInterface, store: () => T): T {
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
