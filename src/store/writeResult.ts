import { adopt } from '../util/adopt.ts';
import { isOlder } from '../schema/order.ts';
import type { StoredResult } from './State.ts';
import type { Writer } from './transaction.ts';

/** Writes an endpoint's result unless a newer one is stored. Returns whether it was written. */
export function writeResult(writer: Writer, key: string, incoming: StoredResult): boolean {
  const existing = writer.result(key);
  if (existing !== undefined && isOlder(incoming.meta, existing.meta)) return false;
  writer.setResult(key, { ...incoming, value: adopt(incoming.value, existing?.value) });
  return true;
}
