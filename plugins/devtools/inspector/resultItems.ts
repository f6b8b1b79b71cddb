import type { MountedRead, StoredResult } from 'holdfast';
import type { View } from './Inspected.ts';

/** What a result is good for now. */
export type ResultStatus = 'fresh' | 'stale' | 'invalid' | 'error';

/** One result, or a read on screen that has none. */
export interface ResultItem {
  readonly key: string;
  readonly status: ResultStatus;
  readonly isLoading: boolean;
  readonly result: StoredResult | undefined;
  readonly mounted: MountedRead | undefined;
}

/** What a list shows of many. */
export interface ResultList {
  /** The first that match: on screen first, then the newest. */
  readonly items: readonly ResultItem[];
  /** How many match. */
  readonly matching: number;
  /** How many there are of each kind, whatever the filter. */
  readonly counts: Readonly<Record<ResultStatus | 'mounted', number>>;
}

export interface ResultFilter {
  readonly text: string;
  readonly status: ResultStatus | 'mounted' | undefined;
}

/** @param limit - how many are to be shown */
export function resultItems(
  { state, mounted, loading, now }: View,
  filter: ResultFilter,
  limit: number,
): ResultList {
  const counts = { fresh: 0, stale: 0, invalid: 0, error: 0, mounted: 0 };
  const onScreen: ResultItem[] = [];
  const others: ResultItem[] = [];
  const text = filter.text.trim().toLowerCase();
  const add = (key: string, result: StoredResult | undefined): void => {
    const read = mounted.get(key);
    const status = statusOf(result, now);
    counts[status] += 1;
    if (read !== undefined) counts.mounted += 1;
    if (filter.status === 'mounted' ? read === undefined : (filter.status ?? status) !== status) return;
    if (text !== '' && !key.toLowerCase().includes(text)) return;
    const item = { key, status, isLoading: loading.has(key), result, mounted: read };
    (read === undefined ? others : onScreen).push(item);
  };
  state.results.forEach((result, key) => add(key, result));
  for (const key of mounted.keys()) if (state.results.get(key) === undefined) add(key, undefined);
  const items = [...onScreen.reverse(), ...others.reverse()];
  return { items: items.slice(0, limit), matching: items.length, counts };
}

function statusOf(result: StoredResult | undefined, now: number): ResultStatus {
  if (result === undefined || result.invalidated === true) return 'invalid';
  if (result.error !== undefined) return 'error';
  return result.meta.expiresAt > now ? 'fresh' : 'stale';
}
