import { adopt } from '../util/adopt.ts';
import { isOlder, isSameWrite } from '../schema/order.ts';
import { pageMeta } from './lazyListRow.ts';
import type { StoredResult } from './State.ts';
import type { Writer } from './transaction.ts';
import type { Meta } from '../schema/Meta.ts';
import type { Schema } from '../schema/Schema.ts';
import { shapeOf } from '../schema/shapeOf.ts';

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

/** Writes what a further page has beside its list, unless the list is newer or invalid. */
export function writePage(writer: Writer, key: string, page: StoredResult): boolean {
  const list = writer.result(key);
  if (list !== undefined && (list.invalidated === true || isOfFormerList(page.meta, list.meta))) return false;
  return writeResult(writer, key, { ...page, meta: pageMeta(page.meta, list?.meta) });
}

/** Whether a page continues what the list was before a refetch: its cursor would skip items. */
function isOfFormerList(page: Meta, list: Meta): boolean {
  // A list from the future was received before the clock was set back.
  const isMeanwhile = page.requestedAt < list.receivedAt && list.receivedAt <= page.receivedAt;
  return isMeanwhile || isOlder(page, list);
}

/** The result to store for a normalized response. An absent response is stored as null, which is data too. */
export function newResult(schema: Schema, normalized: unknown, meta: Meta): StoredResult {
  const value = normalized ?? null;
  const shape = shapeOf(schema);
  return shape === '' ? { value, meta } : { value, meta, shape };
}

/** A result marked as stale. If it would never become stale by itself, its meta still shows that. */
export function expired(result: StoredResult): StoredResult {
  const { meta } = result;
  const expiresAt = meta.expiresAt === Infinity ? -Infinity : 0;
  return meta.expiresAt <= 0 ? result : { ...result, meta: { ...meta, expiresAt } };
}
