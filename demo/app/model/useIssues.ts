import { useQuery, useSuspense } from 'holdfast/react';
import type { Issue } from './Issue.ts';
import { IssueChanges } from './issueChanges.ts';
import { issueCount, issuePage, statusCounts, type IssueSearch } from './issueQueries.ts';
import { statusGroups } from './statuses.ts';

const none: readonly Issue[] = [];

/**
 * A page of issues and the number of all that match, from this device. It waits only at the first visit, until the
 * server has sent the issues.
 */
export function useIssues(search: IssueSearch): { issues: readonly Issue[]; total: number } {
  useSuspense(IssueChanges, {});
  const { sort: _order, page: _page, ...filter } = search;
  return { issues: useQuery(issuePage, search) ?? none, total: useQuery(issueCount, filter)?.n ?? 0 };
}

/** How many issues a project has. */
export interface IssueCounts {
  open: number;
  active: number;
  total: number;
}

/** The numbers of a project, from this device. It waits as `useIssues` does. */
export function useIssueCounts(project: string): IssueCounts {
  useSuspense(IssueChanges, {});
  const groups = Object.entries(useQuery(statusCounts, { project }) ?? {});
  const count = (statuses: readonly string[] | undefined) =>
    groups.reduce((sum, [status, { n }]) => (statuses?.includes(status) === false ? sum : sum + n), 0);
  return { open: count(statusGroups.open), active: count(statusGroups.active), total: count(undefined) };
}
