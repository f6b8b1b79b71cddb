import { statusName, type Status } from '../model/statuses.ts';

/** How much of the disc is filled, for the statuses that show progress. */
const progress: Partial<Record<Status, number>> = { todo: 0, in_progress: 0.5, in_review: 0.75 };

/** Shape and colour both show the status; screen readers read its name. */
export function StatusIcon({ status, decorative = false }: { status: Status; decorative?: boolean }) {
  const filled = progress[status];
  return (
    <svg
      className={`status-icon status-${status}`}
      viewBox="0 0 16 16"
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': statusName(status) })}
    >
      {status === 'done' || status === 'canceled' ? (
        <>
          <circle cx="8" cy="8" r="6.5" fill="currentColor" />
          <path
            d={status === 'done' ? 'm5.2 8.2 2 2 3.6-4.2' : 'm5.8 5.8 4.4 4.400M10.2 5.800l-4.4 4.4'}
            fill="none"
            stroke="var(--surface)"
            strokeWidth="1.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      ) : (
        <circle
          cx="8"
          cy="8"
          r="5.7"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeDasharray={status === 'triage' ? '2.2 2.276' : undefined}
        />
      )}
      {filled !== undefined && filled > 0 && (
        <circle
          cx="8"
          cy="8"
          r="1.8"
          fill="none"
          stroke="currentColor"
          strokeWidth="3.6"
          pathLength="1"
          strokeDasharray={`${filled} 1`}
          transform="rotate(-90 8 8)"
        />
      )}
    </svg>
  );
}
