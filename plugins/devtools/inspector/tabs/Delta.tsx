import type { TimelineEntry } from '../../Timeline.ts';
import { KIND_NAMES, KINDS, touched } from './deltas.ts';

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
