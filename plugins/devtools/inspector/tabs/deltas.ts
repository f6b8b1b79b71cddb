import type { Change } from '../../changesOf.ts';
import type { TimelineEntry } from '../../Timeline.ts';
import { counted } from '../parts/format.ts';
import type { Tone } from '../parts/Tag.tsx';

/** The symbol of each kind of change. */
export const KINDS: Readonly<Record<Change['kind'], { readonly sign: string; readonly tone: Tone }>> = {
  added: { sign: '+', tone: 'fresh' },
  changed: { sign: '~', tone: 'stale' },
  refreshed: { sign: '↻', tone: 'quiet' },
  removed: { sign: '−', tone: 'error' },
};

export const KIND_NAMES = ['added', 'changed', 'refreshed', 'removed'] as const;

/** How many rows and results a commit changed, as text. */
export function touched({ rows, results }: TimelineEntry): string {
  const parts = [rows > 0 && counted(rows, 'row'), results > 0 && counted(results, 'result')];
  return parts.filter(Boolean).join(', ') || 'no row';
}
