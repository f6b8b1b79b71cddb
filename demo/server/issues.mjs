import { HttpError, notFound } from './HttpError.mjs';
import { presentIssue } from './present.mjs';
import { changeableRules, issueRules, validate } from './validate.mjs';

/** @import { Database } from './Database.mjs' */
/** @import { Answer, IssueRecord } from './types.js' */

/**
 * @param {Database} database
 * @param {string} id
 */
export function findIssue(database, id) {
  const issue = database.issues.get(id);
  if (!issue) throw notFound('issue', id);
  return issue;
}

/**
 * @param {Database} database
 * @param {Record<string, unknown>} input
 * @returns {Answer}
 */
export function createIssue(database, input) {
  const valid = validate(input, issueRules, ['project', 'title', 'author'], database);
  const now = new Date().toISOString();
  // The rules above made sure of the types.
  const project = /** @type {string} */ (valid.project);
  const number = (database.data.lastNumber[project] ?? 0) + 1;
  database.data.lastNumber[project] = number;
  const issue = /** @type {IssueRecord} */ (
    /** @type {unknown} */ ({
      body: '',
      status: 'triage',
      priority: 'none',
      assignee: null,
      labels: [],
      ...valid,
      id: `${project}-${number}`,
      number,
      createdAt: now,
      updatedAt: now,
      version: 1,
    })
  );
  database.data.issues.push(issue);
  database.issues.set(issue.id, issue);
  database.changed();
  return {
    status: 201,
    body: presentIssue(database, issue),
    headers: { Location: `/issues/${issue.id}` },
  };
}

/**
 * @param {Database} database
 * @param {string} id
 * @param {Record<string, unknown>} input with a `version`, the change is made to that version or not at all
 * @param {readonly string[]} required
 * @returns {Answer}
 */
export function changeIssue(database, id, input, required) {
  const issue = findIssue(database, id);
  const valid = validate(input, changeableRules, required, database);
  if (input.version !== undefined && input.version !== issue.version) {
    throw new HttpError(409, 'Somebody else changed this issue in the meantime.', {
      current: presentIssue(database, issue),
    });
  }
  Object.assign(issue, valid, { updatedAt: new Date().toISOString(), version: issue.version + 1 });
  database.changed();
  return { status: 200, body: presentIssue(database, issue) };
}

/**
 * @param {Database} database
 * @param {string} id
 * @returns {Answer}
 */
export function deleteIssue(database, id) {
  findIssue(database, id);
  database.issues.delete(id);
  database.data.deleted.push({ id, deletedAt: new Date().toISOString() });
  database.data.issues = database.data.issues.filter((issue) => issue.id !== id);
  database.data.comments = database.data.comments.filter((comment) => comment.issue !== id);
  database.changed();
  return { status: 204 };
}

/**
 * The issues that were created, changed or deleted since a time, and the time for the next call. Changes made at that
 * very millisecond are in both responses. Issues name people, labels and projects by id, so that these are sent once.
 *
 * @param {Database} database
 * @param {string | null} since ISO 8601; without it, all issues
 * @param {string | null} project a large one; without it, the issues of all projects that are not large
 */
export function changesSince(database, since, project) {
  const { projects, people, labels, issues, deleted } = database.data;
  const ids = new Set(
    projects.filter(({ id, large }) => (project === null ? !large : id === project)).map(({ id }) => id),
  );
  return {
    until: new Date().toISOString(),
    projects,
    people,
    labels,
    issues: issues
      .filter((issue) => ids.has(issue.project) && (since === null || issue.updatedAt >= since))
      .map((issue) => ({ ...issue, commentCount: database.commentsOf(issue.id).length })),
    deleted: deleted
      .filter(({ deletedAt }) => since !== null && deletedAt >= since)
      .map(({ id }) => ({ id })),
  };
}
