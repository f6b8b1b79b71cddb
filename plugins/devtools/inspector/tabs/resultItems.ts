import type { MountedRead, StoredResult } from 'holdfast';
import type { View } from '../InspectorStore.ts';

/** The state of a result; `missing` if there is none. */
export type ResultStatus = 'fresh' | 'stale' | 'invalid' | 'error' | 'missing';

/** One result, or a mounted read without one: it is served from rows, or has no data yet. */
export interface ResultItem {
  readonly key: string;
  readonly status: ResultStatus;
  readonly isLoading: boolean;
  readonly result: StoredResult | undefined;
  readonly mounted: MountedRead | undefined;
}

/** The filters of the list. */
export const FILTERS = ['mounted', 'unmounted', 'loading', 'fresh', 'stale', 'invalid', 'error'] as const;
export type Filter = (typeof FILTERS)[number];

/** The sort orders of the list; by default, mounted reads come first. */
export const ORDERS = ['screen', 'received', 'expiry', 'status', 'key'] as const;
export type Order = (typeof ORDERS)[number];

export interface ResultFilter {
  /** A text that keys must contain. */
  readonly text: string;
  readonly filter: Filter | undefined;
  readonly order: Order;
  readonly isReversed: boolean;
}

/** The part of the results that is shown. */
export interface ResultList {
  readonly items: readonly ResultItem[];
  /** The number of matches. */
  readonly matching: number;
  /** The number of each kind, regardless of the filter. */
  readonly counts: Readonly<Record<Filter, number>>;
}

/** @param limit - how many to show */
export function resultItems(
  view: View,
  { text, filter, order, isReversed }: ResultFilter,
  limit: number,
): ResultList {
  const counts = { mounted: 0, unmounted: 0, loading: 0, fresh: 0, stale: 0, invalid: 0, error: 0 };
  const items: ResultItem[] = [];
  const searched = text.trim().toLowerCase();
  const add = (item: ResultItem): void => {
    const kinds = kindsOf(item);
    for (const kind of kinds) counts[kind] += 1;
    if (filter !== undefined && !kinds.includes(filter)) return;
    if (searched === '' || item.key.toLowerCase().includes(searched)) items.push(item);
  };
  const { results } = view.state;
  for (const [key, result] of results.entries()) add(itemOf(view, key, result));
  for (const key of view.mounted.keys())
    if (results.get(key) === undefined) add(itemOf(view, key, undefined));
  items.sort(COMPARE[order]);
  if (isReversed) items.reverse();
  return { items: items.slice(0, limit), matching: items.length, counts };
}

/** The number of items without a filter. */
export function countResults({ results }: View['state'], mounted: View['mounted']): number {
  let count = results.size;
  for (const key of mounted.keys()) if (results.get(key) === undefined) count += 1;
  return count;
}

/** The result or mounted read with a key; undefined if there is neither. */
export function resultItem(view: View, key: string): ResultItem | undefined {
  const result = view.state.results.get(key);
  return result === undefined && !view.mounted.has(key) ? undefined : itemOf(view, key, result);
}

function itemOf(view: View, key: string, result: StoredResult | undefined): ResultItem {
  const { mounted, loading, fromRows, now } = view;
  const expiresAt = result?.meta.expiresAt ?? fromRows.get(key);
  return {
    key,
    status: statusOf(result, expiresAt, now),
    isLoading: loading.has(key),
    result,
    mounted: mounted.get(key),
  };
}

function kindsOf({ status, isLoading, mounted }: ResultItem): Filter[] {
  const kinds: Filter[] = [mounted === undefined ? 'unmounted' : 'mounted'];
  if (isLoading) kinds.push('loading');
  if (status !== 'missing') kinds.push(status);
  return kinds;
}

function statusOf(
  result: StoredResult | undefined,
  expiresAt: number | undefined,
  now: number,
): ResultStatus {
  if (expiresAt === undefined) return 'missing';
  if (result?.invalidated === true) return 'invalid';
  if (result?.error !== undefined) return 'error';
  // A time in the future comes from a wrong clock.
  const isFromFuture = expiresAt < Infinity && (result?.meta.receivedAt ?? 0) > now;
  return expiresAt > now && !isFromFuture ? 'fresh' : 'stale';
}

type Compare = (a: ResultItem, b: ResultItem) => number;

const STATUSES: readonly ResultStatus[] = ['missing', 'error', 'invalid', 'stale', 'fresh'];

const COMPARE: Readonly<Record<Order, Compare>> = {
  screen: (a, b) => Number(b.mounted !== undefined) - Number(a.mounted !== undefined) || byReceived(a, b),
  received: byReceived,
  expiry: (a, b) => compare(a.result?.meta.expiresAt ?? 0, b.result?.meta.expiresAt ?? 0) || byKey(a, b),
  status: (a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) || byKey(a, b),
  key: byKey,
};

/** Newest first; reads without data count as newer. */
function byReceived(a: ResultItem, b: ResultItem): number {
  return compare(receivedAt(b), receivedAt(a)) || byKey(a, b);
}

function receivedAt({ result }: ResultItem): number {
  return result?.meta.receivedAt ?? Infinity;
}

function byKey(a: ResultItem, b: ResultItem): number {
  return compare(a.key, b.key);
}

/** Infinity less Infinity is not a number, and `localeCompare` is slow. */
function compare<Value extends number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
