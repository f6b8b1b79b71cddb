import { Delete } from '../../schema/Delete.ts';
import type { Schema } from '../../schema/Schema.ts';

/**
 * The result of a DELETE: the server's response if it is an object with at least one key, else the request's
 * parameters. With any schema but `Delete`, the response itself.
 */
export function deletedValue(schema: Schema, response: unknown, [params]: readonly unknown[]): unknown {
  if (!(schema instanceof Delete)) return response;
  const isObject = typeof response === 'object' && response !== null && !Array.isArray(response);
  return isObject && Object.keys(response).length > 0 ? response : (params ?? response);
}
