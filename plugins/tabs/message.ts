import {
  orderAt,
  type ListChange,
  type Meta,
  type StoredResult,
  type StoredRow,
  type Unsent,
} from 'holdfast';
import { isCount, isMeta, isOrder, isRecord } from '../shared/guards.ts';

/** Increased when messages change. Tabs with different protocols ignore each other. */
export const PROTOCOL = 2;

/** The common part of all messages. */
interface Envelope {
  readonly holdfast: typeof PROTOCOL;
  /** The app's version. */
  readonly version: string | number | undefined;
  /** The sender's id. */
  readonly from: string;
  /** When the last reset known to the sender was, in ms since the epoch; 0 for none. Data from before it is void. */
  readonly epoch: number;
  /** Whether that reset kept unsent mutations; missing if it discarded them. */
  readonly unsent?: Unsent | undefined;
}

/** Changed records with the sender's current values. */
export interface Contents {
  /** Each row with the meta of the version it was merged over, if there was one. */
  readonly rows: readonly (readonly [table: string, pk: string, row: StoredRow, over?: Meta])[];
  readonly results: readonly (readonly [key: string, result: StoredResult])[];
  /** List changes; each tab applies them to the lists it has. */
  readonly listChanges: readonly ListChange[];
  /** Records of plugins; undefined for a deleted one. */
  readonly side: readonly (readonly [plugin: string, key: string, record: unknown])[];
}

/** The sender's changes after `since` up to `seq`. */
interface ChangesBody extends Contents {
  readonly kind: 'changes';
  readonly since: number;
  readonly seq: number;
  /** The receivers; undefined for all. */
  readonly to: readonly string[] | undefined;
}

/** Announces the sender, and requests the changes it has not seen. */
interface HelloBody {
  readonly kind: 'hello';
  /** The last change seen of each tab. */
  readonly seen: readonly (readonly [from: string, seq: number])[];
  readonly to: readonly string[] | undefined;
}

/** The sender was reset; all receivers reset too. */
interface ResetBody {
  readonly kind: 'reset';
}

/** The sender no longer listens. */
interface ByeBody {
  readonly kind: 'bye';
}

/** The body of a message. */
export type Body = ChangesBody | HelloBody | ResetBody | ByeBody;

/** A message with changes. */
export type Changes = Envelope & ChangesBody;

/** A message of the channel. */
export type Message = Changes | (Envelope & (HelloBody | ResetBody | ByeBody));

/** Validates a message; undefined for anything else that is sent on a channel of this name. */
export function readMessage(data: unknown): Message | undefined {
  return isRecord(data) && isEnvelope(data) && isBody(data)
    ? (data as unknown as Message) // checked member by member
    : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function isEnvelope({ holdfast, version, from, epoch }: Fields): boolean {
  return (
    holdfast === PROTOCOL &&
    (version === undefined || typeof version === 'string' || typeof version === 'number') &&
    typeof from === 'string' &&
    isCount(epoch) &&
    isOrder(orderAt(epoch))
  );
}

function isBody(data: Fields): boolean {
  switch (data.kind) {
    case 'reset':
    case 'bye':
      return true;
    case 'hello':
      return (
        isReceiver(data.to) && isListOf(data.seen, ([from, seq]) => typeof from === 'string' && isCount(seq))
      );
    case 'changes':
      return (
        isReceiver(data.to) &&
        isCount(data.since) &&
        isCount(data.seq) &&
        isListOf(data.rows, isRow) &&
        isListOf(data.results, isResult) &&
        Array.isArray(data.listChanges) &&
        data.listChanges.every(isListChange) &&
        isListOf(data.side, ([plugin, key]) => typeof plugin === 'string' && typeof key === 'string')
      );
    default:
      return false;
  }
}

function isReceiver(to: unknown): boolean {
  return to === undefined || (Array.isArray(to) && to.every((tab) => typeof tab === 'string'));
}

function isListOf(list: unknown, isMember: (member: readonly unknown[]) => boolean): boolean {
  return Array.isArray(list) && list.every((member: unknown) => Array.isArray(member) && isMember(member));
}

function isRow([table, pk, row, over]: readonly unknown[]): boolean {
  return (
    typeof table === 'string' &&
    typeof pk === 'string' &&
    isRecord(row) &&
    (row.value === undefined || isRecord(row.value)) &&
    (row.movedTo === undefined || typeof row.movedTo === 'string') &&
    isMeta(row.meta) &&
    (over === undefined || isMeta(over))
  );
}

function isResult([key, result]: readonly unknown[]): boolean {
  return (
    typeof key === 'string' &&
    isRecord(result) &&
    isMeta(result.meta) &&
    (result.shape === undefined || typeof result.shape === 'string') &&
    (result.invalidated === undefined || result.invalidated === true)
  );
}

function isListChange(change: unknown): boolean {
  return (
    isRecord(change) &&
    typeof change.table === 'string' &&
    change.pk === undefined &&
    Array.isArray(change.items) &&
    ['unshift', 'push', 'remove', 'assign'].includes(change.how as string) &&
    [change.where, change.except ?? change.where].every(isMembership) &&
    isMeta(change.meta)
  );
}

function isMembership(where: unknown): boolean {
  return (
    isRecord(where) &&
    Array.isArray(where.args) &&
    where.args.every(isRecord) &&
    (where.path === undefined || typeof where.path === 'string') &&
    Array.isArray(where.fields) &&
    isExempt(where.exempt)
  );
}

function isExempt(exempt: unknown): boolean {
  // Not instanceof, which fails for a RegExp of another realm.
  return (
    exempt === undefined ||
    Array.isArray(exempt) ||
    Object.prototype.toString.call(exempt) === '[object RegExp]'
  );
}
