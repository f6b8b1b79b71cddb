import { useNow } from './useNow.ts';

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const long = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** “3 days ago”, or “3d” where there is little room; the exact time on hover. */
export function RelativeTime({ date, short = false }: { date: Date; short?: boolean }) {
  const now = useNow();
  return (
    <time dateTime={date.toISOString()} title={exact.format(date)}>
      {short ? formatShort(date, now) : formatLong(date, now)}
    </time>
  );
}

function formatLong(date: Date, now: number): string {
  const age = now - date.getTime();
  const unit = units.find(([, length]) => age >= length);
  return unit ? long.format(-Math.floor(age / unit[1]), unit[0]) : 'just now';
}

function formatShort(date: Date, now: number): string {
  const age = now - date.getTime();
  const unit = units.find(([, length]) => age >= length);
  if (!unit) return 'now';
  return `${Math.floor(age / unit[1])}${unit[0] === 'month' ? 'mo' : unit[0][0]}`;
}
