import type { MountedRead, StoredResult } from 'holdfast';
import type { View } from '../Inspected.ts';

/** What a result is good for now; `missing` where there is none. */
export type ResultStatus = 'fresh' | 'stale' | 'invalid' | 'error' | 'missing';

/** One result, or a read on screen that has none: rows answer it, or nothing does yet. */
export interface ResultItem {
  readonly key: string;
  readonly status: ResultStatus;
  readonly isLoading: boolean;
  readonly result: StoredResult | undefined;
  readonly mounted: MountedRead | undefined;
}

/** What a list may be narrowed to. */
export const FILTERS = ['mounted', 'unmounted', 'loading', 'fresh', 'stale', 'invalid', 'error'] as const;
export type Filter = (typeof FILTERS)[number];

/** What a list may be sorted by; what is on screen comes first by default. */
export const ORDERS = ['screen', 'received', 'expiry', 'status', 'key'] as const;
export type Order = (typeof ORDERS)[number];

export interface Wanted {
  /** What keys must have in them. */
  readonly text: string;
  readonly filter: Filter | undefined;
  readonly order: Order;
  readonly isReversed: boolean;
}

/** What a list shows of many. */
export interface ResultList {
  readonly items: readonly ResultItem[];
  /** How many match. */
  readonly matching: number;
  /** How many there are of each kind, whatever is wanted. */
  readonly counts: Readonly<Record<Filter, number>>;
}

/** @param limit - how many are to be shown */
export function resultItems(
  view: View,
  { text, filter, order, isReversed }: Wanted,
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

/** The result or read on screen that has a key; undefined where there is neither. */
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
  // What arrived in the future did so by a clock that was wrong.
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

/** The newest first; what is not there yet is newer than that. */
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
