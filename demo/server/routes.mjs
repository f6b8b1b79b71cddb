import { changeComment, createComment, deleteComment, findComment } from './comments.mjs';
import { notFound } from './HttpError.mjs';
import { changeIssue, changesSince, createIssue, deleteIssue, findIssue } from './issues.mjs';
import { listIssues } from './listIssues.mjs';
import { presentComment, presentIssue, presentProject } from './present.mjs';

/** @import { Database } from './Database.mjs' */
/** @import { Answer } from './types.js' */

/**
 * @typedef {{ database: Database, params: Record<string, string>, search: URLSearchParams, body: () => Promise<Record<string, unknown>> }} Call
 * @typedef {(call: Call) => Answer | Promise<Answer>} Handler
 */

/** @type {(body: unknown) => Answer} */
const ok = (body) => ({ status: 200, body });

/**
 * @template {{ id: string }} T
 * @param {T[]} records
 * @param {string} what
 * @param {string} id
 * @returns {T}
 */
function find(records, what, id) {
  const found = records.find((record) => record.id === id);
  if (!found) throw notFound(what, id);
  return found;
}

/** @type {Record<string, Handler>} */
const oneComment = {
  GET: ({ database, params: { comment = '' } }) =>
    ok(presentComment(database, findComment(database, comment))),
  PATCH: async ({ database, params: { comment = '' }, body }) =>
    changeComment(database, comment, await body()),
  DELETE: ({ database, params: { comment = '' } }) => deleteComment(database, comment),
};

/** @type {Record<string, Record<string, Handler>>} path → method → handler */
export const routes = {
  '/health': { GET: () => ok({ ok: true }) },
  '/projects': {
    GET: ({ database }) => ok(database.data.projects.map((project) => presentProject(database, project))),
  },
  '/projects/:project': {
    GET: ({ database, params: { project = '' } }) =>
      ok(presentProject(database, find(database.data.projects, 'project', project))),
  },
  '/projects/:project/issues': {
    GET: ({ database, params: { project = '' }, search }) => {
      find(database.data.projects, 'project', project);
      return ok(listIssues(database, search, (issue) => issue.project === project));
    },
  },
  '/people': { GET: ({ database }) => ok(database.data.people) },
  '/people/:person': {
    GET: ({ database, params: { person = '' } }) => ok(find(database.data.people, 'person', person)),
  },
  '/people/:person/issues': {
    GET: ({ database, params: { person = '' }, search }) => {
      find(database.data.people, 'person', person);
      return ok(listIssues(database, search, (issue) => issue.assignee === person));
    },
  },
  '/labels': { GET: ({ database }) => ok(database.data.labels) },
  '/labels/:label': {
    GET: ({ database, params: { label = '' } }) => ok(find(database.data.labels, 'label', label)),
  },
  '/issues': {
    GET: ({ database, search }) => ok(listIssues(database, search, () => true)),
    POST: async ({ database, body }) => createIssue(database, await body()),
  },
  '/changes': {
    GET: ({ database, search }) => ok(changesSince(database, search.get('since'), search.get('project'))),
  },
  '/issues/:issue': {
    GET: ({ database, params: { issue = '' } }) => ok(presentIssue(database, findIssue(database, issue))),
    PUT: async ({ database, params: { issue = '' }, body }) =>
      changeIssue(database, issue, await body(), [
        'title',
        'body',
        'status',
        'priority',
        'assignee',
        'labels',
      ]),
    PATCH: async ({ database, params: { issue = '' }, body }) =>
      changeIssue(database, issue, await body(), []),
    DELETE: ({ database, params: { issue = '' } }) => deleteIssue(database, issue),
  },
  '/issues/:issue/comments': {
    GET: ({ database, params: { issue = '' } }) =>
      ok(
        database
          .commentsOf(findIssue(database, issue).id)
          .map((comment) => presentComment(database, comment)),
      ),
    POST: async ({ database, params: { issue = '' }, body }) => createComment(database, issue, await body()),
  },
  '/issues/:issue/comments/:comment': oneComment,
  '/comments/:comment': oneComment,
};
