import { useQuery, useSuspense } from 'holdfast/react';
import type { Issue } from './Issue.ts';
import { changesArgs, IssueChanges, syncOf, syncs } from './issueChanges.ts';
import { issueCount, issuePage, statusCounts, type IssueSearch } from './issueQueries.ts';
import { Project } from './Project.ts';
import { statusGroups } from './statuses.ts';

const none: readonly Issue[] = [];

/** Whether this device has a project's issues: those of a large project are loaded when it is opened. */
export function useHasIssues(project: Project): boolean {
  const known = useSuspense(syncs) ?? [];
  return !project.large || known.some(({ id }) => id === project.id);
}

/** Waits, at the first visit alone, until the server has sent the issues of a project, or of all that are not large. */
function useFirstIssues(id: string | undefined): void {
  const sync = syncOf(useQuery(Project, id === undefined ? null : { id }));
  const isKnown = (useSuspense(syncs) ?? []).some((known) => known.id === sync);
  useSuspense(IssueChanges, isKnown ? null : changesArgs(sync));
}

/**
 * A page of issues and the number of all that match, from this device. After a start, the page is the one last shown
 * and the number is undefined until all issues are in memory. An empty page waits for them.
 */
export function useIssues(search: IssueSearch): { issues: readonly Issue[]; total: number | undefined } {
  useFirstIssues(search.project);
  const { sort: _order, page: _page, ...filter } = search;
  return { issues: useSuspense(issuePage, search) ?? none, total: useQuery(issueCount, filter)?.n };
}

/** How many issues a project has. */
export interface IssueCounts {
  open: number;
  active: number;
  total: number;
}

/** The numbers of a project, from this device. It waits until all issues are in memory. */
export function useIssueCounts(project: string): IssueCounts {
  useFirstIssues(project);
  const groups = Object.entries(useSuspense(statusCounts, { project }) ?? {});
  const count = (statuses: readonly string[] | undefined) =>
    groups.reduce((sum, [status, { n }]) => (statuses?.includes(status) === false ? sum : sum + n), 0);
  return { open: count(statusGroups.open), active: count(statusGroups.active), total: count(undefined) };
}
