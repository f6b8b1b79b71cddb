import type { Schema } from '../schema/Schema.ts';
import type { EndpointInterface } from './EndpointInterface.ts';

/** Whether it is an endpoint, not a schema. */
export function isEndpoint(source: EndpointInterface | Schema): source is EndpointInterface {
  return typeof source === 'function' && 'testKey' in source;
}
