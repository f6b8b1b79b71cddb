import { HttpError } from './HttpError.mjs';
import { presentIssue } from './present.mjs';
import { priorities, statuses } from './validate.mjs';

/** @import { Database } from './Database.mjs' */
/** @import { IssueRecord } from './types.js' */

/** Names for several statuses at once. */
const groups = { open: statuses.slice(0, 4), closed: statuses.slice(4), active: statuses.slice(2, 4) };

/** @type {Record<string, (a: IssueRecord, b: IssueRecord) => number>} */
const orders = {
  '-updatedAt': (a, b) => compare(b.updatedAt, a.updatedAt),
  updatedAt: (a, b) => compare(a.updatedAt, b.updatedAt),
  '-createdAt': (a, b) => compare(b.createdAt, a.createdAt),
  createdAt: (a, b) => compare(a.createdAt, b.createdAt),
  priority: (a, b) =>
    priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || compare(b.updatedAt, a.updatedAt),
};

/**
 * One page of issues.
 *
 * @param {Database} database
 * @param {URLSearchParams} search status, assignee, author, label, q, sort, page, perPage
 * @param {(issue: IssueRecord) => boolean} belongs
 */
export function listIssues(database, search, belongs) {
  const query = readQuery(search);
  const words = query.q.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = database.data.issues.filter(
    (issue) =>
      belongs(issue) &&
      (!query.statuses || query.statuses.includes(issue.status)) &&
      (!query.assignee || (issue.assignee ?? 'none') === query.assignee) &&
      (!query.author || issue.author === query.author) &&
      (!query.label || issue.labels.includes(query.label)) &&
      contains(issue, words),
  );
  matches.sort(orders[query.sort]);
  const { page, perPage } = query;
  const pages = Math.max(1, Math.ceil(matches.length / perPage));
  return {
    results: matches
      .slice((page - 1) * perPage, page * perPage)
      .map((issue) => presentIssue(database, issue)),
    total: matches.length,
    page,
    perPage,
    nextPage: page < pages ? page + 1 : null,
    prevPage: page > 1 ? Math.min(page - 1, pages) : null,
  };
}

/** @param {URLSearchParams} search */
function readQuery(search) {
  /** @type {Record<string, string>} */
  const fields = {};
  const sort = search.get('sort') || '-updatedAt';
  if (!Object.hasOwn(orders, sort)) fields.sort = `Must be one of ${Object.keys(orders).join(', ')}.`;
  const status = search.get('status') || undefined;
  const allowed = status
    ?.split(',')
    .flatMap((name) =>
      Object.hasOwn(groups, name) ? groups[/** @type {keyof typeof groups} */ (name)] : [name],
    );
  if (allowed?.some((name) => !(/** @type {readonly string[]} */ (statuses).includes(name)))) {
    fields.status = `Must be one or more of ${[...Object.keys(groups), ...statuses].join(', ')}.`;
  }
  /** @type {(name: string, fallback: number, highest: number) => number} */
  const whole = (name, fallback, highest) => {
    const text = search.get(name);
    if (!text) return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > highest)
      fields[name] = `Must be a whole number from 1 to ${highest}.`;
    return value;
  };
  const page = whole('page', 1, 1_000_000);
  const perPage = whole('perPage', 25, 100);
  if (Object.keys(fields).length > 0) throw new HttpError(400, 'The query is not valid.', { fields });
  return {
    sort,
    page,
    perPage,
    statuses: allowed,
    q: search.get('q') ?? '',
    assignee: search.get('assignee'),
    author: search.get('author'),
    label: search.get('label'),
  };
}

/**
 * @param {IssueRecord} issue
 * @param {string[]} words
 */
function contains(issue, words) {
  if (words.length === 0) return true;
  const text = `${issue.id} ${issue.title} ${issue.body}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
