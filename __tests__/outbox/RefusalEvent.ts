import type { OutboxEntry } from 'holdfast/outbox';
import type { Row, TableName } from './RefusalPage.ts';
import type { Outcome } from './RefusalServer.ts';

export type Tab = 0 | 1;

interface OfTable {
  readonly table: TableName;
  /** Which of its rows, counted from the last one. */
  readonly which: number;
}

interface InTab extends OfTable {
  readonly tab: Tab;
}

type Field = 'text' | 'title';

/** What a person does in one of two tabs, what others do, and what becomes of the requests. */
export type RefusalEvent =
  /** A new task may be edited at once, and get a comment, which is edited as well. */
  | (InTab & { readonly kind: 'create'; readonly hasOwnPk: boolean; readonly hasMore: boolean })
  | (InTab & { readonly kind: 'edit'; readonly field: Field })
  | (InTab & { readonly kind: 'remove' | 'readOne' | 'readList' })
  /** What a person does with an entry that is not being sent. */
  | {
      readonly kind: 'retry' | 'discard' | 'change' | 'mine' | 'theirs';
      readonly tab: Tab;
      readonly nth: number;
      readonly isDead: boolean;
    }
  | (OfTable & { readonly kind: 'otherEdit'; readonly field: Field })
  | (OfTable & { readonly kind: 'otherRemove' | 'otherCreate' })
  /** The server executes the request that has waited longest, and the response arrives, or that happens later. */
  | { readonly kind: 'execute' | 'answer'; readonly outcome: Outcome }
  | { readonly kind: 'deliver'; readonly nth: number }
  | { readonly kind: 'pass' | 'settle' }
  | { readonly kind: 'reload'; readonly tab: Tab };

/** How the server and the app are made. */
export interface RefusalSetting {
  /** Whether the person does everything while offline, so that nobody waits for a response. */
  readonly isOffline: boolean;
  readonly respondsWithData: boolean;
  /** Whether tasks and comments have queues of their own. */
  readonly hasQueues: boolean;
  /** What `onConflict` does; undefined if there is none. */
  readonly onConflict: 'again' | 'discard' | 'both' | undefined;
}

/** Something that was asked for. */
export interface Asked {
  readonly kind: 'create' | 'edit' | 'remove';
  readonly table: TableName;
  readonly tag: string;
  /** The page that may send it for the first time: after that, or on another page, it may be a repetition. */
  firstPage?: object | undefined;
  /** Whether it may have left the outbox. */
  isOver: boolean;
  /** What depended on it when it was refused. */
  dependents?: readonly Asked[];
}

/** An entry, and those that refer to what it creates. */
export function withDependents(
  entry: OutboxEntry,
  entries: readonly OutboxEntry[],
): ReadonlySet<OutboxEntry> {
  const found = new Set([entry]);
  for (const { name, args, temporaryPk, status } of found) {
    if (!name.endsWith('.create')) continue;
    const { id } = args.at(-1) as Partial<Row>; // its body
    const isKnown = id === undefined || status === 'conflict';
    for (const other of entries.slice(entries.findIndex((each) => each.temporaryPk === temporaryPk) + 1))
      if (
        other.dependsOn.includes(temporaryPk) ||
        (!isKnown && other.args.some((arg) => refersTo(arg as Partial<Row>, id)))
      )
        found.add(other);
  }
  return found;
}

function refersTo({ id, task }: Partial<Row>, pk: string): boolean {
  return id === pk || task === pk;
}

export function isDead({ status }: OutboxEntry): boolean {
  return status === 'failed' || status === 'conflict';
}

/** Whether the server may have executed it, although no response said so. */
export function mayBeDone({ error }: OutboxEntry): boolean {
  return error?.reason === 'no-connection' || error?.reason === 'server-down';
}

/** Whether it says that a creation was given up: what depends on that is rejected, and then what depends on this. */
export function isOfOrphan(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'HF_OUTBOX_PK' || code === 'HF_OUTBOX_CANCELLED';
}

/** Counted from the last one. */
export function nthOf<T>(all: readonly T[], nth: number): T | undefined {
  return all[all.length - 1 - (nth % all.length)];
}

export function textOf({ tag, text, title, task }: Row): string {
  return `${tag} "${text}" "${title}"${task === undefined ? '' : ` on ${task}`}`;
}
