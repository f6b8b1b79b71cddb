import { useController } from 'holdfast/react';
import { useState } from 'react';
import { describeError, type Problem } from '../data/describeError.ts';
import { expireIssueLists } from '../data/refresh.ts';
import { IssueResource, type IssueChanges } from '../model/Issue.ts';

/** Sends changes of one issue to the server. `save` resolves with the problem, or with nothing when it went well. */
export function useSaveIssue(id: string) {
  const controller = useController();
  const [saving, setSaving] = useState(false);

  async function save(changes: IssueChanges): Promise<Problem | undefined> {
    setSaving(true);
    try {
      await controller.fetch(IssueResource.partialUpdate, { id }, changes);
      expireIssueLists(controller);
      return undefined;
    } catch (error) {
      const problem = await describeError(error);
      // Whoever decides between two versions should see the newer one.
      if (problem.kind === 'conflict')
        await controller.fetch(IssueResource.get, { id }).catch(() => undefined);
      return problem;
    } finally {
      setSaving(false);
    }
  }

  return { save, saving };
}
