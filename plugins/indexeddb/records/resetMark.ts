import type { Header } from './header.ts';

/** A reset that has begun: whatever the database contains of this epoch or an earlier one is to be deleted. */
export interface ResetMark {
  /** The epoch that the reset ends. */
  readonly epoch: number;
  /** Whether it keeps the records of other plugins. */
  readonly keepsSide: boolean;
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

/** Whether another tab has finished the reset of this mark, which was on disk. */
export function isFinished(mark: ResetMark, marks: ResetMarks, { epoch }: Header): boolean {
  return epoch > mark.epoch && (mark.keepsSide ? marks.keep : marks.discard) === undefined;
}
