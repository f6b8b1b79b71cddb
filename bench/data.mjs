/**
 * The data of every scenario, the same for every library. Pks are strings: dense integers flatter stores that keep
 * rows in plain objects. Values are made by formula, so that each run has the same.
 *
 * @typedef {object} User
 * @property {string} id
 * @property {string} login
 * @property {string} name
 * @property {string} avatarUrl
 *
 * @typedef {object} Issue
 * @property {string} id
 * @property {string} title
 * @property {User} author - one of 100
 * @property {{ id: string, name: string, color: string }[]} labels - two of 50
 * @property {{ id: string, name: string, owner: string, stars: number }} repo - one of 20
 *
 * @typedef {object} Row - a flat record of 12 fields, about 300 bytes as JSON
 * @property {string} id
 * @property {string} title
 *
 * @typedef {object} Change - the three fields that a change sets
 * @property {string} title
 * @property {number} comments
 * @property {string} updatedAt
 */

const ISSUES = 1_000;
const LABELS = 50;
const REPOS = 20;
/** Authors there are: each has 10 of the 1,000 issues. */
export const AUTHORS = 100;

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);

// Made beforehand: a change that is being timed must not spend its time on formatting dates.
const dates = Array.from({ length: 700 }, (_, day) => new Date(START + day * DAY).toISOString());
const dateOf = (/** @type {number} */ index) => dates[index % dates.length];

/** The pk of a nested issue. */
export const issueId = (/** @type {number} */ index) => `issue-${index}`;

/** The pk of an author. */
export const authorId = (/** @type {number} */ index) => `user-${index}`;

/** The pk of a flat row. */
export const rowId = (/** @type {number} */ index) => `row-${index}`;

/** The index of a row with such a pk. */
export const rowIndex = (/** @type {string} */ id) => Number(id.slice('row-'.length));

/**
 * A list of 1,000 issues as a server sends it: nested, with a copy of the author, labels and repo in each.
 *
 * @returns {string} JSON, so that each use can parse a response of its own
 */
export function issuesJson() {
  const issues = Array.from({ length: ISSUES }, (_, index) => ({
    id: issueId(index),
    number: index,
    title: `The screen of step ${index} stays empty when the network is slow`,
    body: `Open step ${index}, switch the network off and on again, and look at the list. Nothing is shown.`,
    state: index % 3 === 0 ? 'closed' : 'open',
    comments: index % 17,
    createdAt: dateOf(index),
    updatedAt: dateOf(index + 30),
    author: author((index * 7) % AUTHORS),
    labels: [label(index % LABELS), label((index * 3 + 1) % LABELS)],
    repo: repo(index % REPOS),
  }));
  return JSON.stringify(issues);
}

const author = (/** @type {number} */ index) => ({
  id: authorId(index),
  login: `login${index}`,
  name: `Name Number ${index}`,
  avatarUrl: `https://example.com/avatars/${index}.png`,
});

const label = (/** @type {number} */ index) => ({
  id: `label-${index}`,
  name: `label ${index}`,
  color: `#${(index * 5_003).toString(16).padStart(6, '0')}`,
});

const repo = (/** @type {number} */ index) => ({
  id: `repo-${index}`,
  name: `repository-${index}`,
  owner: `owner${index}`,
  stars: index * 100,
});

/**
 * Flat rows of 12 fields.
 *
 * @param {number} size
 * @returns {Row[]}
 */
export function makeRows(size) {
  return Array.from({ length: size }, (_, index) => ({
    id: rowId(index),
    title: `Title of row ${index}`,
    body: `The text of row ${index}, as long as a short comment is`,
    state: index % 3 === 0 ? 'closed' : 'open',
    priority: index % 5,
    comments: index % 17,
    authorId: authorId(index % AUTHORS),
    repoId: `repo-${index % REPOS}`,
    createdAt: dateOf(index),
    updatedAt: dateOf(index + 30),
    isLocked: index % 11 === 0,
    score: index / 8,
  }));
}

/** A live query: the first 50 of the open rows of one repo, by score, highest first. */
export const WINDOW = { state: 'open', repoId: 'repo-7', limit: 50 };

/** Whether the live query has a row among its members. @param {{ state: string, repoId: string }} row */
export const matchesWindow = ({ state, repoId }) => state === WINDOW.state && repoId === WINDOW.repoId;

/**
 * The nth change: a partial of three fields, different from every earlier one.
 *
 * @param {number} nth
 * @returns {Change}
 */
export function changeOf(nth) {
  return { title: `Changed ${nth}`, comments: nth, updatedAt: dateOf(nth) };
}
