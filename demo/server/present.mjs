/** @import { Database } from './Database.mjs' */
/** @import { CommentRecord, IssueRecord, ProjectRecord } from './types.js' */

/** What the server gives out: the records with the people, labels and project that they name nested in them. */

/**
 * @param {Database} database
 * @param {ProjectRecord} project
 */
export function presentProject({ data }, project) {
  return { ...project, lead: person(data, project.lead) };
}

/**
 * @param {Database} database
 * @param {IssueRecord} issue with a summary of its project
 */
export function presentIssue(database, issue) {
  const { data } = database;
  const project = data.projects.find(({ id }) => id === issue.project);
  return {
    ...issue,
    project: project && { id: project.id, name: project.name, color: project.color },
    author: person(data, issue.author),
    assignee: issue.assignee === null ? null : person(data, issue.assignee),
    labels: issue.labels.map((id) => data.labels.find((label) => label.id === id)),
    commentCount: database.commentsOf(issue.id).length,
  };
}

/**
 * @param {Database} database
 * @param {CommentRecord} comment
 */
export function presentComment({ data }, comment) {
  return { ...comment, author: person(data, comment.author) };
}

/**
 * @param {Database['data']} data
 * @param {string} id
 */
function person(data, id) {
  return data.people.find((each) => each.id === id);
}
