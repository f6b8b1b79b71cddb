import { orderAt, type CreatedRow, type EntityValue, type Mutation, type SideRecords } from 'holdfast';
import type { Failure } from '../sending/classifyFailure.ts';
import { TRANSITIONS, type StoredStatus } from '../queue/entryStatus.ts';

/** A stored mutation. */
export interface EntryRecord {
  /** Name of the endpoint. */
  readonly name: string;
  /** Its encoded args, with confirmed pks; the temporary one of an entity that is not created yet. */
  readonly args: readonly unknown[];
  /** Whether its body gives the entity another pk; missing if it does not. */
  readonly givesPk?: boolean;
  /** The fields of `Mutation.former` that its args change; undefined if they name no row. */
  readonly former?: EntityValue | undefined;
  /** Its position among all mutations, in all tabs and sessions. */
  readonly order: number;
  /** Increases with each change except attempts; the higher revision wins. */
  readonly revision: number;
  readonly createdAt: number;
  /** Attempts that have failed. */
  readonly attempts: number;
  readonly idempotencyKey: string;
  readonly temporaryPk: string;
  /** Whether a caller was waiting when it was last stored; that tab sends it first. */
  readonly isAwaited: boolean;
  readonly status: StoredStatus;
  /** Why the last attempt failed. */
  readonly problem?: Failure | undefined;
  /** Both versions, if it is in conflict and they are known. */
  readonly conflict?: Conflict | undefined;
  /** The scope of its outbox; null if it has none. */
  readonly scope: string | null;
}

/**
 * The fields of the former row that the args of a mutation change. Objects and lists are left out, since the params of a
 * list are compared with plain values.
 */
export function formerFields({ args, former }: Mutation): EntityValue | undefined {
  return (
    former &&
    Object.fromEntries(
      Object.entries(former).filter(
        ([name, value]) =>
          Object(value) !== value && args.some((arg) => Object.hasOwn(Object(arg) as object, name)),
      ),
    )
  );
}

/** Two versions of what a mutation changes. */
export interface Conflict {
  /** The server's. */
  readonly theirs: unknown;
  /** When it was received, in the order of all requests; missing in records of earlier builds. */
  readonly order?: number;
  /** The encoded args that the server would accept instead; missing if they are the mutation's own. */
  readonly mine?: readonly unknown[];
}

/** Whether a record replaces another of the same entry. All tabs decide alike, whichever they saw first. */
export function isNewer(record: EntryRecord, than: EntryRecord): boolean {
  if (record.revision !== than.revision) return record.revision > than.revision;
  if (record.idempotencyKey !== than.idempotencyKey) return record.idempotencyKey > than.idempotencyKey;
  return record.attempts > than.attempts;
}

/** A record from disk or from another tab, and what it is; neither if it is deleted or unreadable. */
export interface ReadRecord {
  readonly key: string;
  /** The temporary pk that it replaces; undefined for an entry. */
  readonly movedPk: string | undefined;
  readonly stored: unknown;
  readonly entry: EntryRecord | undefined;
  readonly move: MoveRecord | undefined;
  /** For a record without one, the corresponding order. */
  readonly order: number;
}

/** Validates a record. */
export function readRecord([key, stored]: SideRecords[number]): ReadRecord {
  const movedPk = key.startsWith(MOVE) ? key.slice(MOVE.length) : undefined;
  const entry = movedPk === undefined ? asEntryRecord(stored) : undefined;
  const move = movedPk === undefined ? undefined : asMoveRecord(stored);
  return { key, movedPk, stored, entry, move, order: entry?.order ?? orderAt(move?.at ?? Infinity) };
}

/** The row that a create has created, for tabs that still use its temporary pk. */
export interface MoveRecord extends CreatedRow {
  /** Of the create that the server has executed. */
  readonly idempotencyKey: string;
  readonly at: number;
}

const MOVE = 'moved ';

/** The key of a move's record. */
export function moveKey(temporaryPk: string): string {
  return MOVE + temporaryPk;
}

/** Validates a stored entry; undefined if it is invalid. */
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
    typeof entry.temporaryPk === 'string' &&
    typeof entry.status === 'string' &&
    entry.status in TRANSITIONS &&
    (entry.scope === null || typeof entry.scope === 'string');
  return isEntry ? (entry as EntryRecord) : undefined; // checked
}

/** Whether a value contains itself, which no request can send. Bytes of files are not searched: there may be millions. */
function isCyclic(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (around.includes(value)) return true;
  return Object.values(value).some((member) => isCyclic(member, [...around, value]));
}

/** Validates a stored move; undefined if it is invalid. */
function asMoveRecord(record: unknown): MoveRecord | undefined {
  if (!isCreatedRow(record)) return undefined;
  const move: CreatedRow & Partial<MoveRecord> = record;
  const isMove =
    Object.values(move.others ?? {}).every(isCreatedRow) &&
    typeof move.idempotencyKey === 'string' &&
    typeof move.at === 'number';
  return isMove ? (move as MoveRecord) : undefined; // checked
}

function isCreatedRow(value: unknown): value is CreatedRow {
  const row = value as Partial<CreatedRow> | null | undefined; // each member is checked
  return (
    typeof row?.table === 'string' &&
    typeof row.pk === 'string' &&
    typeof row.shownPk === 'string' &&
    Object(row.ids) === row.ids &&
    (typeof row.id === 'string' || typeof row.id === 'number')
  );
}
