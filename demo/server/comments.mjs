import { notFound } from './HttpError.mjs';
import { findIssue } from './issues.mjs';
import { presentComment } from './present.mjs';
import { commentRules, validate } from './validate.mjs';

/** @import { Database } from './Database.mjs' */
/** @import { Answer, CommentRecord } from './types.js' */

/**
 * @param {Database} database
 * @param {string} id
 */
export function findComment(database, id) {
  const comment = database.data.comments.find((each) => each.id === id);
  if (!comment) throw notFound('comment', id);
  return comment;
}

/**
 * @param {Database} database
 * @param {string} issueId
 * @param {Record<string, unknown>} input
 * @returns {Answer}
 */
export function createComment(database, issueId, input) {
  const issue = findIssue(database, issueId);
  const valid = validate(input, commentRules, ['body', 'author'], database);
  const now = new Date().toISOString();
  database.data.lastComment += 1;
  // The rules above made sure of the types.
  const comment = /** @type {CommentRecord} */ ({
    ...valid,
    id: String(database.data.lastComment),
    issue: issue.id,
    createdAt: now,
    updatedAt: now,
  });
  database.data.comments.push(comment);
  issue.updatedAt = now;
  database.changed();
  return {
    status: 201,
    body: presentComment(database, comment),
    headers: { Location: `/comments/${comment.id}` },
  };
}

/**
 * @param {Database} database
 * @param {string} id
 * @param {Record<string, unknown>} input
 * @returns {Answer}
 */
export function changeComment(database, id, input) {
  const comment = findComment(database, id);
  const valid = validate({ body: input.body }, commentRules, ['body'], database);
  Object.assign(comment, valid, { updatedAt: new Date().toISOString() });
  database.changed();
  return { status: 200, body: presentComment(database, comment) };
}

/**
 * @param {Database} database
 * @param {string} id
 * @returns {Answer}
 */
export function deleteComment(database, id) {
  const comment = findComment(database, id);
  findIssue(database, comment.issue).updatedAt = new Date().toISOString();
  database.data.comments = database.data.comments.filter((each) => each !== comment);
  database.changed();
  return { status: 204 };
}
