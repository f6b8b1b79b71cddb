import { useController } from 'holdfast/react';
import { useState } from 'react';
import { describeError, type Problem } from '../data/describeError.ts';
import type { IssueChanges } from '../model/Issue.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { useQueue } from '../outbox/queue.ts';
import { waitingEdit } from '../outbox/waitingEdit.ts';

/**
 * Changes an issue. `save` resolves with the problem, or with nothing when the server has the change or the outbox keeps
 * it.
 */
export function useSaveIssue(id: string) {
  const controller = useController();
  const queue = useQueue();
  const [saving, setSaving] = useState(false);

  async function save(changes: IssueChanges): Promise<Problem | undefined> {
    const waiting = changes.base && waitingEdit(queue, id);
    // A text that waits and is changed once more is sent once, as a change of what the server has.
    if (waiting) {
      const { version, base, ...before } = waiting.changes;
      const { version: _later, base: _mine, ...after } = changes;
      const merged = { ...before, ...after, version, base };
      if (queue.edit(waiting.key, [{ id }, merged])) return undefined;
    }
    setSaving(true);
    try {
      await controller.fetch(IssueResource.partialUpdate, { id }, changes);
      return undefined;
    } catch (error) {
      return describeError(error);
    } finally {
      setSaving(false);
    }
  }

  return { save, saving };
}
