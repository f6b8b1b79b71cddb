import type { Snapshot } from 'holdfast';
import { Project } from './Project.ts';
import { statusGroups, type Status } from './statuses.ts';

/** As the server counts. */
const open = statusGroups['open'] ?? [];
const inProgress = statusGroups['active'] ?? [];

/**
 * What a mutation is expected to make of the project of an issue: its numbers, where they are known here.
 *
 * @param before - the status of the issue, undefined where there is none yet
 * @param after - undefined where there is none any more
 */
export function recounted(
  snapshot: Snapshot,
  id: string,
  before: Status | undefined,
  after: Status | undefined,
): Pick<Project, 'id'> & Partial<Project> {
  const counts = snapshot.get(Project, { id })?.counts;
  // The number of issues is unknown if the project is only known from its issues.
  if (!counts || counts.total === 0) return { id };
  const change = (isCounted: (status: Status) => boolean) =>
    Number(after !== undefined && isCounted(after)) - Number(before !== undefined && isCounted(before));
  return {
    id,
    counts: {
      open: counts.open + change((status) => open.includes(status)),
      inProgress: counts.inProgress + change((status) => inProgress.includes(status)),
      total: counts.total + change(() => true),
    },
  };
}
