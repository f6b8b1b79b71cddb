import type { Failure } from './outcome.ts';

/** How many orders there are in a millisecond. */
export const PER_MS = 1_024;

/** A mutation as it is stored. */
export interface EntryRecord {
  /** Name of the endpoint. */
  readonly name: string;
  /** Its arguments, encoded. */
  readonly args: readonly unknown[];
  /** Its place among all, over tabs and days. */
  readonly order: number;
  /** Rises with each change but the attempts: the higher one stands. */
  readonly revision: number;
  readonly createdAt: number;
  /** Attempts that have failed. */
  readonly attempts: number;
  readonly idempotencyKey: string;
  readonly temporaryPk: string;
  /** Whether whoever asked was there to hear of the answer when it was last stored: their tab sends it first. */
  readonly isAwaited: boolean;
  /** Why it is among the dead letters, if it is. */
  readonly failure?: Failure;
  /** Why the last attempt failed. */
  readonly problem?: Failure;
  /** What that attempt has shown to be in the way. */
  readonly hold?: Hold;
  /** Whose it is: the scope of the outbox that took it in, null where that has none. Older versions left it out. */
  readonly scope?: string | null;
}

/** What is in the way of an entry: nobody is signed in, or its requests do not get through while others do. */
export type Hold = 'needs-auth' | 'blocked';

/** Whether a record stands over another of the same entry: every tab says the same, whatever it knew first. */
export function isNewer(record: EntryRecord, than: EntryRecord): boolean {
  if (record.revision !== than.revision) return record.revision > than.revision;
  if (record.idempotencyKey !== than.idempotencyKey) return record.idempotencyKey > than.idempotencyKey;
  return record.attempts > than.attempts;
}

/** The order of any record; of those that have none, what they would have had. */
export function orderOf(record: unknown): number {
  return asEntryRecord(record)?.order ?? (asMoveRecord(record)?.at ?? Infinity) * PER_MS;
}

/** What a temporary pk has become, for those who still name it. */
export interface MoveRecord {
  readonly table: string;
  readonly pk: string;
  /** The pk as the server's data has it. */
  readonly id: string | number;
  /** The pk that it was shown under, where that is not the temporary pk itself. */
  readonly shownPk?: string;
  /** By field, where several were shown with the temporary pk. */
  readonly ids?: Readonly<Record<string, string | number>>;
  readonly at: number;
}

const MOVE = 'moved ';

/** The key of a move's record. */
export function moveKey(temporaryPk: string): string {
  return MOVE + temporaryPk;
}

/** The temporary pk that a record's key names; undefined where it is the record of an entry. */
export function movedPk(key: string): string | undefined {
  return key.startsWith(MOVE) ? key.slice(MOVE.length) : undefined;
}

/** A stored entry, checked; undefined where it is none. */
export function asEntryRecord(record: unknown): EntryRecord | undefined {
  const entry = record as Partial<EntryRecord> | null | undefined; // each member is checked
  if (typeof entry !== 'object' || entry === null) return undefined;
  const isEntry =
    typeof entry.name === 'string' &&
    Array.isArray(entry.args) &&
    !isCyclic(entry.args) &&
    Number.isFinite(entry.order) &&
    typeof entry.revision === 'number' &&
    typeof entry.createdAt === 'number' &&
    typeof entry.attempts === 'number' &&
    typeof entry.idempotencyKey === 'string' &&
    typeof entry.temporaryPk === 'string';
  return isEntry ? (entry as EntryRecord) : undefined; // checked
}

/** Whether a value contains itself, which no request can send. */
function isCyclic(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.includes(value)) return true;
  return Object.values(value).some((member) => isCyclic(member, [...around, value]));
}

/** A stored move, checked; undefined where it is none. */
export function asMoveRecord(record: unknown): MoveRecord | undefined {
  const move = record as Partial<MoveRecord> | null | undefined; // each member is checked
  if (typeof move !== 'object' || move === null) return undefined;
  const isMove =
    typeof move.table === 'string' &&
    typeof move.pk === 'string' &&
    (move.shownPk === undefined || typeof move.shownPk === 'string') &&
    (move.ids === undefined || typeof move.ids === 'object') &&
    (typeof move.id === 'string' || typeof move.id === 'number') &&
    typeof move.at === 'number';
  return isMove ? (move as MoveRecord) : undefined; // checked
}
