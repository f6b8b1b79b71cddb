import { Delete, Entity, RestEndpoint, type Controller } from 'holdfast';
import { api } from './api.ts';
import { Issue } from './Issue.ts';

/** Up to when this device has the server's issues. */
export class Sync extends Entity {
  id = '';
  until = new Date(0);

  static override key = 'Sync';
  static override schema = { until: Date };
}

const id = 'issues';

/** Only its type counts. */
const searchParams: { since?: string | undefined } = {};

/** What has changed since a time; without one, all issues. Read so, it is on this device from the first visit on. */
export const IssueChanges = new RestEndpoint({
  urlPrefix: api,
  path: '/changes',
  searchParams,
  schema: { sync: Sync, issues: [Issue], deleted: [new Delete(Issue)] },
  process: ({ until, ...changes }: { until: string }) => ({ ...changes, sync: { id, until } }),
  dataExpiryLength: Infinity,
});

/** Asks the server for what has changed since this device last asked. */
export async function fetchIssueChanges(controller: Controller): Promise<void> {
  await controller.fetch(IssueChanges, { since: controller.get(Sync, { id })?.until.toISOString() });
}
