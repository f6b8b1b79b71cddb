import type { OutboxPlugin } from 'holdfast/outbox';
import type { IssueChanges } from '../model/Issue.ts';

/** The change of an issue's text that waits in the outbox and is not on its way yet. */
export function waitingEdit(
  queue: OutboxPlugin,
  id: string,
): { readonly key: string; readonly changes: IssueChanges } | undefined {
  for (const { key, name, args, status } of queue.status.get().pending) {
    if (name !== 'Issue.partialUpdate' || status === 'sending') continue;
    const [params, changes] = args as readonly [{ readonly id: string }, IssueChanges]; // of that endpoint
    if (params.id === id && changes.base !== undefined) return { key, changes };
  }
  return undefined;
}
