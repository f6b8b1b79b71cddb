import { Collection, RestEndpoint, type CollectionFilter } from 'holdfast';
import { api } from './api.ts';
import { Issue, type NewIssue } from './Issue.ts';
import { statusGroups } from './statuses.ts';

/** What a list of issues can be narrowed and ordered by. */
export interface IssueSearch {
  status?: string | undefined;
  assignee?: string | undefined;
  label?: string | undefined;
  q?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
}

/** Only its type is used. */
const searchParams: IssueSearch = {};

/** Lists of issues, to which filing one adds it where it stands at the top. */
export const issues = new Collection([Issue], {
  createCollectionFilter: (issue) => belongsOnTop(issue as unknown as NewIssue), // the body of a creation
});

function belongsOnTop(issue: NewIssue): CollectionFilter {
  const text = `${issue.title} ${issue.body}`.toLowerCase();
  return ({ project, person, status, assignee, label, q = '', sort = '-updatedAt', page = '1' }) =>
    (project === issue.project || (person !== undefined && person === issue.assignee)) &&
    page === '1' &&
    (sort === '-updatedAt' || sort === '-createdAt') &&
    (status === undefined || (statusGroups[status] ?? [status]).includes(issue.status)) &&
    (assignee === undefined || assignee === (issue.assignee ?? 'none')) &&
    (label === undefined || issue.labels.includes(label)) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
}

const page = { results: issues, total: 0, page: 0, perPage: 0, receivedAt: Date };

/** The time of the answer is kept with it, so that the screen can say how old it is, also after a reload. */
function stamp(value: object): object {
  return { ...value, receivedAt: new Date().toISOString() };
}

/** A page of a project's issues. */
export const ProjectIssues = new RestEndpoint({
  urlPrefix: api,
  path: '/projects/:project/issues',
  searchParams,
  schema: page,
  process: stamp,
  dataExpiryLength: Infinity,
});

/** A page of the issues assigned to a person. */
export const PersonIssues = new RestEndpoint({
  urlPrefix: api,
  path: '/people/:person/issues',
  searchParams,
  schema: page,
  process: stamp,
  dataExpiryLength: Infinity,
});
