import { isRecord } from '../../shared/guards.ts';

/**
 * A reset. Every tab that makes or follows it carries it out on disk, and its time identifies it: the first tab clears the
 * database and records that, and for the others nothing is left to do.
 */
export interface Reset {
  /** When it was, in ms since the epoch. */
  readonly at: number;
  /** Whether it keeps the records of other plugins. */
  readonly keepsSide: boolean;
}

/** How many resets the header, or a note, remembers. A tab that carries one out later than that clears again. */
const REMEMBERED = 32;

/** Whether a reset was carried out: it is recorded, as one that discards if it does. */
export function isRecorded({ at, keepsSide }: Reset, recorded: readonly Reset[]): boolean {
  return recorded.some((done) => done.at === at && (keepsSide || !done.keepsSide));
}

/** Which of these resets have yet to be carried out. They may be of different tabs, so none stands for another. */
export function unrecordedResets(resets: readonly Reset[], recorded: readonly Reset[]): Reset[] {
  return resets.filter((reset) => !isRecorded(reset, recorded));
}

/** Which resets of one tab, oldest first, have yet to be carried out: a later one that is recorded did their work too. */
export function unfinishedResets(resets: readonly Reset[], recorded: readonly Reset[]): Reset[] {
  return resets.filter(
    ({ keepsSide }, index) => !resets.slice(index).some(({ at }) => isRecorded({ at, keepsSide }, recorded)),
  );
}

/**
 * What clearing the database for resets of one tab carries out: nothing if other tabs have done that already, else also
 * resets of other tabs that came before.
 *
 * @param begun - the resets of all tabs that are marked or noted
 */
export function resetsToCarryOut(
  resets: readonly Reset[],
  begun: readonly Reset[],
  recorded: readonly Reset[],
): Reset[] {
  const unfinished = unfinishedResets(resets, recorded);
  if (unfinished.length === 0) return [];
  const last = Math.max(...resets.map(({ at }) => at));
  const earlier = unrecordedResets(begun, recorded).filter(({ at }) => at <= last);
  return [...earlier.sort((a, b) => a.at - b.at), ...unfinished];
}

/** Adds resets to those that are remembered. */
export function withResets(remembered: readonly Reset[], added: readonly Reset[]): Reset[] {
  const all = new Map([...remembered, ...added].map((reset) => [`${reset.at} ${reset.keepsSide}`, reset]));
  return [...all.values()].slice(-REMEMBERED);
}

/** Decodes remembered resets; what is not one of them is left out. */
export function decodeResets(stored: unknown): Reset[] {
  return Array.isArray(stored) ? stored.filter(isReset) : [];
}

/** Decodes a `ResetNote`. */
export function decodeNote(text: string): Reset[] {
  try {
    return decodeResets(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Whether it is a reset, as every stored one should be. */
export function isReset(value: unknown): value is Reset {
  return isRecord(value) && Number.isFinite(value.at) && typeof value.keepsSide === 'boolean';
}
