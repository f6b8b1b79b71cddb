import { RestEndpoint } from 'holdfast';
import { api } from './api.ts';
import { Issue } from './Issue.ts';

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

const page = { results: [Issue], total: 0, page: 0, perPage: 0, receivedAt: Date };

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
