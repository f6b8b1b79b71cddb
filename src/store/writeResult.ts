import { adopt } from '../util/adopt.ts';
import { isOlder, isSameWrite } from '../schema/order.ts';
import type { StoredResult } from './State.ts';
import type { Writer } from './transaction.ts';

/** Writes an endpoint's result unless a newer one is stored. Returns whether it is now the stored one. */
export function writeResult(writer: Writer, key: string, incoming: StoredResult): boolean {
  const existing = writer.result(key);
  if (existing !== undefined && isOlder(incoming.meta, existing.meta)) return false;
  const value = adopt(incoming.value, existing?.value);
  const isKnown =
    existing !== undefined &&
    value === existing.value &&
    isSameWrite(incoming.meta, existing.meta) &&
    incoming.error === existing.error &&
    incoming.invalidated === existing.invalidated &&
    incoming.shape === existing.shape;
  if (!isKnown) writer.setResult(key, { ...incoming, value });
  return true;
}
