import type { StoredResult } from 'holdfast';
import { ago, coarse } from '../parts/format.ts';
import type { ResultItem } from './resultItems.ts';
import { Tag } from '../parts/Tag.tsx';

/** How long a result is still fresh, as text over a shrinking bar. */
export function Freshness({ item, now }: { item: ResultItem; now: number }) {
  const { status, isLoading, result } = item;
  if (isLoading) return <Tag tone="loading">loading</Tag>;
  if (status === 'missing') return <Tag tone="quiet">missing</Tag>;
  if (result === undefined) return <Tag tone={status}>from rows</Tag>;
  if (status !== 'fresh') return <Tag tone={status}>{status}</Tag>;
  return (
    <Tag tone="fresh" share={shareLeft(result, now)}>
      {remaining(result, now)}
    </Tag>
  );
}

/** When it becomes or became stale. */
export function expiryText({ meta, invalidated }: StoredResult, now: number): string {
  if (invalidated === true) return 'invalidated';
  if (meta.expiresAt === Infinity) return 'never stale';
  if (meta.expiresAt > now) return `stale in ${coarse(meta.expiresAt - now)}`;
  return meta.expiresAt > 0 ? `stale since ${ago(meta.expiresAt, now)}` : 'expired';
}

function remaining({ meta }: StoredResult, now: number): string {
  return meta.expiresAt === Infinity ? 'always' : coarse(meta.expiresAt - now);
}

function shareLeft({ meta }: StoredResult, now: number): number {
  if (meta.expiresAt === Infinity) return 1;
  const whole = meta.expiresAt - meta.receivedAt;
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, (meta.expiresAt - now) / whole));
}
