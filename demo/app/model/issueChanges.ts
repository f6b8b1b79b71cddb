import { Delete, Entity, RestEndpoint, Select, type Controller } from 'holdfast';
import { api } from './api.ts';
import { Issue } from './Issue.ts';
import { Label } from './Label.ts';
import { Person } from './Person.ts';
import { Project } from './Project.ts';

/** The time up to which this device has the server's issues: those of a large project, or of all other projects. */
export class Sync extends Entity {
  /** A large project's id, or `issues`. */
  id = '';
  until = new Date(0);

  static override key = 'Sync';
  static override schema = { until: Date };
}

const others = 'issues';

/** The id of the `Sync` that includes a project's issues. */
export function syncOf(project: Project | undefined): string {
  return project?.large ? project.id : others;
}

/** None until the server has sent issues to this device. */
export const syncs = new Select(Sync);

interface ChangesParams {
  /** A large project. */
  project?: string | undefined;
  since?: string | undefined;
}

/** Only its type counts. */
const searchParams: ChangesParams = {};

/** What has changed since a time; without one, all issues. Read so, it is on this device from the first visit on. */
export const IssueChanges = new RestEndpoint({
  urlPrefix: api,
  path: '/changes',
  searchParams,
  schema: {
    sync: Sync,
    projects: [Project],
    people: [Person],
    labels: [Label],
    issues: [Issue],
    deleted: [new Delete(Issue)],
  },
  process: ({ until, ...changes }: { until: string }, { project = others }: ChangesParams) => ({
    ...changes,
    sync: { id: project, until },
  }),
  dataExpiryLength: Infinity,
});

/** The args of `IssueChanges` for the issues that a `Sync` includes. */
export function changesArgs(sync: string): ChangesParams {
  return sync === others ? {} : { project: sync };
}

/** Requests what has changed since this device last asked, for the issues that it has. */
export async function fetchIssueChanges(controller: Controller): Promise<void> {
  const known = await knownSyncs(controller);
  if (known.length === 0) await controller.fetch(IssueChanges, {});
  await Promise.all(
    known.map(({ id, until }) =>
      controller.fetch(IssueChanges, { ...changesArgs(id), since: until.toISOString() }),
    ),
  );
}

/** Requests all issues of the projects that are not large, unless this device has them. */
export async function fetchFirstIssues(controller: Controller): Promise<void> {
  if ((await knownSyncs(controller)).length === 0) await controller.fetchIfStale(IssueChanges, {});
}

async function knownSyncs(controller: Controller): Promise<readonly Sync[]> {
  const view = controller.queryView(syncs, []);
  await view.whenKnown();
  return controller.get(syncs) ?? [];
}
