import type { Header } from './header.ts';

/** A reset that has begun: whatever the database contains of this epoch or an earlier one is to be deleted. */
export interface ResetMark {
  /** The epoch that the reset ends. */
  readonly epoch: number;
  /** Whether it keeps the records of other plugins. */
  readonly keepsSide: boolean;
  /** When the reset was, in ms since the epoch, if that is known. */
  readonly at?: number;
}

/** The epochs that the marks on disk name: of a reset that keeps the records of other plugins, and of one that does not. */
export interface ResetMarks {
  readonly keep: unknown;
  readonly discard: unknown;
}

/** The reset that has yet to be finished, of several the one that deletes more; undefined if there is none. */
export function unfinishedReset({ keep, discard }: ResetMarks, { epoch }: Header): ResetMark | undefined {
  const isDue = (marked: unknown): marked is number => typeof marked === 'number' && marked >= epoch;
  if (isDue(discard)) return { epoch: discard, keepsSide: false };
  return isDue(keep) ? { epoch: keep, keepsSide: true } : undefined;
}

/** A reset that is to be finished. */
export interface DueReset {
  readonly keepsSide: boolean;
  /** Its mark, if that is on disk. */
  readonly mark: ResetMark | undefined;
  /** When it was, in ms since the epoch; 0 if that is unknown. */
  readonly at: number;
}

/** Whether another tab has finished a reset: that deletes its mark, or records its time if it had none. */
export function isFinished({ keepsSide, mark, at }: DueReset, marks: ResetMarks, header: Header): boolean {
  const { epoch, sideEpoch, resetAt } = header;
  if (mark === undefined) return at > 0 && at === resetAt && (keepsSide || sideEpoch === epoch);
  return epoch > mark.epoch && (mark.keepsSide ? marks.keep : marks.discard) === undefined;
}

/** When the last resets of each kind were, in ms since the epoch; 0 if there was none. As text in a `ResetNote`. */
function resetTimes(note: string): { readonly keep: number; readonly discard: number } {
  const [keep = 0, discard = 0] = note
    .split(' ')
    .map((time) => (Number.isFinite(Number(time)) ? Number(time) : 0));
  return { keep, discard };
}

/** A note to which a reset is added. */
export function withReset(note: string, at: number, keepsSide: boolean): string {
  const { keep, discard } = resetTimes(note);
  return keepsSide ? `${at} ${discard}` : `${keep} ${at}`;
}

/** The reset that a note demands, unless the database has been cleared since. */
export function notedReset(note: string, { epoch, resetAt }: Header): ResetMark | undefined {
  const { keep, discard } = resetTimes(note);
  const at = Math.max(keep, discard);
  return at > resetAt ? { epoch, keepsSide: !(discard > resetAt), at } : undefined;
}

/** The reset that does what both do. */
export function combinedReset(
  one: ResetMark | undefined,
  other: ResetMark | undefined,
): ResetMark | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { ...one, ...other, keepsSide: one.keepsSide && other.keepsSide };
}
