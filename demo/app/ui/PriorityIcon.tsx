import { priorityName, type Priority } from '../model/priorities.ts';

const bars: Record<Priority, number> = { urgent: 3, high: 3, medium: 2, low: 1, none: 0 };

export function PriorityIcon({ priority, decorative = false }: { priority: Priority; decorative?: boolean }) {
  return (
    <svg
      className={`priority-icon priority-${priority}`}
      viewBox="0 0 16 16"
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': priorityName(priority) })}
    >
      {priority === 'urgent' ? (
        <>
          <rect x="1.5" y="1.5" width="13" height="13" rx="3.5" fill="currentColor" />
          <path d="M8 4.5v4.2M8 11.4v.1" stroke="var(--surface)" strokeWidth="1.9" strokeLinecap="round" />
        </>
      ) : (
        [0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={2 + bar * 4.5}
            y={10 - bar * 3.5}
            width="3"
            height={4 + bar * 3.5}
            rx="1"
            fill="currentColor"
            opacity={bar < bars[priority] ? 1 : 0.25}
          />
        ))
      )}
    </svg>
  );
}
