import { HttpError } from './HttpError.mjs';

/** @import { Database } from './Database.mjs' */
/** @import { Priority, Status } from './types.js' */

/** @type {readonly Status[]} */
export const statuses = ['triage', 'todo', 'in_progress', 'in_review', 'done', 'canceled'];
/** @type {readonly Priority[]} */
export const priorities = ['urgent', 'high', 'medium', 'low', 'none'];

/**
 * A rule looks at one field's value and says what is wrong with it, or nothing.
 *
 * @typedef {(value: unknown, database: Database) => string | undefined} Rule
 */

/** @type {(limit: number, empty: string | undefined) => Rule} */
const text = (limit, empty) => (value) => {
  if (typeof value !== 'string') return 'Must be text.';
  if (empty && value.trim() === '') return empty;
  if (value.length > limit) return `Must not be longer than ${limit} characters.`;
  return undefined;
};

/** @type {(allowed: readonly string[]) => Rule} */
const oneOf = (allowed) => (value) =>
  typeof value === 'string' && allowed.includes(value) ? undefined : `Must be one of ${allowed.join(', ')}.`;

/** @type {Rule} */
const person = (value, { data }) =>
  data.people.some(({ id }) => id === value) ? undefined : 'Must be the id of a person.';

/** @type {Rule} */
const project = (value, { data }) =>
  data.projects.some(({ id }) => id === value) ? undefined : 'Must be the id of a project.';

/** @type {Rule} */
const labels = (value, { data }) => {
  if (!Array.isArray(value)) return 'Must be a list of label ids.';
  const unknown = value.find((each) => !data.labels.some(({ id }) => id === each));
  return unknown === undefined ? undefined : `There is no label “${String(unknown)}”.`;
};

/** @type {Record<string, Rule>} what can be changed of an issue */
export const changeableRules = {
  title: text(200, 'Give the issue a title.'),
  body: text(20_000, undefined),
  status: oneOf(statuses),
  priority: oneOf(priorities),
  assignee: (value, database) => (value === null ? undefined : person(value, database)),
  labels,
};

/** @type {Record<string, Rule>} */
export const issueRules = { ...changeableRules, author: person, project };

/** @type {Record<string, Rule>} */
export const commentRules = { body: text(20_000, 'Write something first.'), author: person };

/**
 * @param {Record<string, unknown>} input what was sent; ids may also come as the objects that the server gives out
 * @param {Record<string, Rule>} rules
 * @param {readonly string[]} required
 * @param {Database} database
 * @returns {Record<string, unknown>} the known fields of the input, all of them valid
 */
export function validate(input, rules, required, database) {
  /** @type {Record<string, string>} */
  const fields = {};
  /** @type {Record<string, unknown>} */
  const valid = {};
  for (const [field, rule] of Object.entries(rules)) {
    const value = Object.hasOwn(input, field) ? reference(input[field]) : undefined;
    if (value === undefined) {
      if (required.includes(field)) fields[field] = 'Is required.';
      continue;
    }
    const problem = rule(value, database);
    if (problem) fields[field] = problem;
    else valid[field] = value;
  }
  if (Object.keys(fields).length > 0) throw new HttpError(422, 'Some fields are not valid.', { fields });
  return valid;
}

/**
 * @param {unknown} value
 * @returns {unknown} the id where an object with an id was sent, also within a list
 */
function reference(value) {
  if (Array.isArray(value)) return [...new Set(value.map(reference))];
  if (typeof value === 'object' && value !== null && 'id' in value) return value.id;
  return value;
}
