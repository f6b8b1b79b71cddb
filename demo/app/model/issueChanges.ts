import { Delete, Entity, RestEndpoint, Select, type Controller } from 'holdfast';
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

/** None until the server has sent the issues to this device. */
export const syncs = new Select(Sync);

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
  const sync = await lastSync(controller);
  await controller.fetch(IssueChanges, { since: sync?.until.toISOString() });
}

/** Asks the server for all issues, unless this device has them. */
export async function fetchFirstIssues(controller: Controller): Promise<void> {
  if ((await lastSync(controller)) === undefined) await controller.fetchIfStale(IssueChanges, {});
}

async function lastSync(controller: Controller): Promise<Sync | undefined> {
  await controller.queryView(syncs, []).whenKnown();
  return controller.get(Sync, { id });
}
