import { Aggregate, Select, type OrderBy, type Where } from 'holdfast';
import { Issue } from './Issue.ts';
import { statusGroups, type Status } from './statuses.ts';

/** What a list of issues can be narrowed by. */
export interface IssueFilter {
  project?: string | undefined;
  /** A status or a group of them. */
  status?: string | undefined;
  /** A person's id, or `none`. */
  assignee?: string | undefined;
  label?: string | undefined;
  /** Words that are all in the id, title or text. */
  q?: string | undefined;
}

/** A page of such a list. */
export interface IssueSearch extends IssueFilter {
  sort: string;
  /** From 1. */
  page: number;
}

/** How many issues are on a page. */
export const perPage = 25;

const orders: Readonly<Record<string, OrderBy<Issue> | readonly OrderBy<Issue>[]>> = {
  '-updatedAt': { updatedAt: 'desc' },
  updatedAt: { updatedAt: 'asc' },
  '-createdAt': { createdAt: 'desc' },
  createdAt: { createdAt: 'asc' },
  priority: [{ rank: 'asc' }, { updatedAt: 'desc' }],
};

function matching({ project, status, assignee, label, q = '' }: IssueFilter): Where<Issue> {
  return {
    projectId: project,
    status:
      status === undefined
        ? undefined
        : { in: statusGroups[status] ?? [status as Status] /* by its address */ },
    assigneeId: assignee === 'none' ? null : assignee,
    labels: label === undefined ? undefined : { some: { id: label } },
    AND: q.split(/\s+/).map((word) => {
      const text = { contains: word, ignoreCase: true };
      return { OR: [{ id: text }, { title: text }, { body: text }] };
    }),
  };
}

/** A page of the issues on this device. */
export const issuePage = new Select(Issue, {
  where: ({ sort: _order, page: _page, ...filter }: IssueSearch) => matching(filter),
  orderBy: ({ sort }) => orders[sort] ?? { updatedAt: 'desc' },
  limit: perPage,
  offset: ({ page }) => (page - 1) * perPage,
});

/** How many issues match, on all pages. */
export const issueCount = new Aggregate(Issue, { where: matching, values: { n: 'count' } });

/** How many issues of a project have each status. */
export const statusCounts = new Aggregate(Issue, {
  where: ({ project }: { project: string }) => ({ projectId: project }),
  groupBy: 'status',
  values: { n: 'count' },
});
