import { isTemporaryPk } from 'holdfast';
import type { OutboxEntry, OutboxPlugin, OutboxState } from 'holdfast/outbox';
import { createContext, use, useSyncExternalStore } from 'react';

export const QueueContext = createContext<OutboxPlugin | undefined>(undefined);

export function useQueue(): OutboxPlugin {
  const queue = use(QueueContext);
  if (!queue) throw new Error('useQueue needs a QueueContext.');
  return queue;
}

/** The state of a change that the server does not have. */
export type Mark = 'waiting' | 'sending' | 'conflict' | 'failed';

const marks = new WeakMap<OutboxState, ReadonlyMap<string, Mark>>();
const weights: Readonly<Record<Mark, number>> = { waiting: 1, sending: 2, conflict: 3, failed: 4 };

/** The mark of an issue or comment, by its id. Only a change of that one mark renders again. */
export function useMark(id: string): Mark | undefined {
  const { status } = useQueue();
  return useSyncExternalStore(status.subscribe, () => marksOf(status.get()).get(id));
}

/** The mark of an issue or comment, by its id. */
export function markOf(queue: OutboxPlugin, id: string): Mark | undefined {
  return marksOf(queue.status.get()).get(id);
}

function marksOf(state: OutboxState): ReadonlyMap<string, Mark> {
  let found = marks.get(state);
  if (!found) marks.set(state, (found = collect(state.entries)));
  return found;
}

function collect(entries: readonly OutboxEntry[]): ReadonlyMap<string, Mark> {
  const found = new Map<string, Mark>();
  for (const entry of entries) {
    const mark = markOfStatus(entry.status);
    const id = subjectOf(entry);
    if (weights[mark] > weights[found.get(id) ?? 'waiting'] || !found.has(id)) found.set(id, mark);
  }
  return found;
}

function markOfStatus(status: OutboxEntry['status']): Mark {
  return status === 'sending' || status === 'failed' || status === 'conflict' ? status : 'waiting';
}

/** What an entry is about, where that is on screen: an issue, or a comment that is being made. */
function subjectOf({ name, args, status, temporaryPk }: OutboxEntry): string {
  const [params] = args as readonly [{ readonly id?: string; readonly issue?: string }]; // of the endpoints in model/
  if (name === 'Issue.create') return temporaryPk;
  // A comment that was refused is not shown; its issue is.
  if (name === 'Comment.create')
    return markOfStatus(status) === 'failed' ? (params.issue ?? '') : temporaryPk;
  return params.id ?? '';
}

/** An issue's id, for a person. */
export function shownId(id: string): string {
  return isTemporaryPk(id) ? 'New' : id;
}
