/** The status that is stored with an entry. */
export type StoredStatus = 'queued' | 'retrying' | 'needs-auth' | 'blocked' | 'conflict' | 'failed';

/** What an entry is doing, or waiting for. */
export type EntryStatus = StoredStatus | 'sending' | 'answered';

/** What changes the status of an entry. */
export type EntryEvent =
  /** An attempt begins. */
  | 'send'
  /** The server has executed it. */
  | 'answer'
  /** The attempt ends without a result: the lock was lost, or `onConflict` is asked. */
  | 'release'
  /** A transient failure. */
  | 'postpone'
  /** The user is not signed in. */
  | 'unauthorized'
  /** The browser or a proxy blocks the request. */
  | 'block'
  /** The server has another version. */
  | 'conflict'
  /** Any other failure. */
  | 'reject'
  /** A person, the app or a sign-in has it sent again. */
  | 'requeue';

type Transitions = Readonly<Partial<Record<EntryEvent, EntryStatus | 'stored'>>>;

const WAITING: Transitions = {
  send: 'sending',
  block: 'blocked',
  conflict: 'conflict',
  reject: 'failed',
  requeue: 'queued',
};

/** The next status by status and event; `stored` is the stored one. Any other event changes nothing. */
export const TRANSITIONS: Readonly<Record<EntryStatus, Transitions>> = {
  queued: WAITING,
  retrying: WAITING,
  'needs-auth': WAITING,
  blocked: WAITING,
  sending: {
    answer: 'answered',
    release: 'stored',
    postpone: 'retrying',
    unauthorized: 'needs-auth',
    block: 'blocked',
    conflict: 'conflict',
    reject: 'failed',
  },
  answered: { release: 'stored', reject: 'failed' },
  conflict: { requeue: 'queued' },
  failed: { requeue: 'queued' },
};

/** Whether an entry waits for a person, who resolves, retries, edits or discards it. */
export function isDead(status: EntryStatus): boolean {
  return status === 'conflict' || status === 'failed';
}
