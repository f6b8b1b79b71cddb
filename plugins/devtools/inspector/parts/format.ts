import { jsonOf } from '../data/values.ts';

/** A duration, such as `450 ms`, `12 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return coarse(ms);
}

/** The same in coarse steps, which do not flicker as time passes. */
export function coarse(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** A time of day to the second. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour12: false });
}

/** The time since something happened. */
export function ago(at: number, now: number): string {
  return now - at < 2_000 ? 'just now' : `${coarse(now - at)} ago`;
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number of bytes, such as `3.4 MB`. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  for (; value >= 1_000 && unit < units.length - 1; unit += 1) value /= 1_000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** An error as text. Code of the app may throw any value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === 'string' ? error : jsonOf(error);
}

/** Replaces URLs in a text by their path and query, the parts in which those of one server differ. */
export function withoutOrigin(text: string): string {
  return text.replace(/https?:\/\/[^/\s]+(?=\/)/, '');
}
