import type { TimelineEntry } from '../../Timeline.ts';
import type { Change } from '../../changesOf.ts';
import { counted } from '../parts/format.ts';
import type { Tone } from '../parts/Tag.tsx';

/** The symbol of each kind of change. */
export const KINDS: Readonly<Record<Change['kind'], { readonly sign: string; readonly tone: Tone }>> = {
  added: { sign: '+', tone: 'fresh' },
  changed: { sign: '~', tone: 'stale' },
  refreshed: { sign: '↻', tone: 'quiet' },
  removed: { sign: '−', tone: 'error' },
};

const KIND_NAMES = ['added', 'changed', 'refreshed', 'removed'] as const;

/** How many rows and results a commit changed, as text. */
export function touched({ rows, results }: TimelineEntry): string {
  const parts = [rows > 0 && counted(rows, 'row'), results > 0 && counted(results, 'result')];
  return parts.filter(Boolean).join(', ') || 'no row';
}

/** The changes of a commit as symbols with numbers; only their total, if no more is kept. */
export function Delta({ entry }: { entry: TimelineEntry }) {
  const counts = entry.counts();
  return (
    <span className="delta">
      {counts === undefined || entry.rows + entry.results === 0
        ? touched(entry)
        : KIND_NAMES.filter((kind) => counts[kind] > 0).map((kind) => (
            <span key={kind} className={`sign ${KINDS[kind].tone}`} title={`${counts[kind]} ${kind}`}>
              <span aria-hidden="true">
                {KINDS[kind].sign}
                {counts[kind].toLocaleString('en')}
              </span>
              <span className="hidden">
                {counts[kind]} {kind}{' '}
              </span>
            </span>
          ))}
    </span>
  );
}
