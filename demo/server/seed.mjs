import { Random } from './random.mjs';
import { labels } from './seedLabels.mjs';
import { people } from './seedPeople.mjs';
import { projects } from './seedProjects.mjs';
import { commentText, issueText } from './seedText.mjs';

/** @import { CommentRecord, Data, IssueRecord, LabelRecord, PersonRecord, Priority, Status } from './types.js' */

const day = 24 * 60 * 60 * 1000;

/**
 * A tracker with some years of work in it. Equal arguments give equal data.
 *
 * @param {number} now milliseconds; the newest issue is a little older than this
 * @param {number} [seed]
 * @returns {Data}
 */
export function seedData(now, seed = 1) {
  const random = new Random(seed);
  const labelRecords = labels.map(([name, color, description]) => ({
    id: slug(name),
    name,
    color,
    description,
  }));
  const personRecords = people.map(([name, role, team, location], index) => ({
    id: slug(name),
    name,
    role,
    team,
    location,
    hue: Math.round((index * 137.5) % 360),
  }));
  /** @type {Data} */
  const data = {
    format: 1,
    projects: projects.map(({ id, name, description, color, lead, large = false }) => ({
      id,
      name,
      description,
      color,
      lead,
      large,
    })),
    people: personRecords,
    labels: labelRecords,
    issues: [],
    deleted: [],
    comments: [],
    answers: [],
    lastNumber: {},
    lastComment: 0,
  };
  for (const project of projects) seedProject(random, data, project, now);
  return data;
}

/**
 * @param {Random} random
 * @param {Data} data
 * @param {(typeof projects)[number]} project
 * @param {number} now
 */
function seedProject(random, data, project, now) {
  // Each project is mostly the work of a dozen people; a few others file an issue now and then.
  const team = random.sample(data.people, 14);
  for (let number = 1; number <= project.issues; number++) {
    const age = ((project.issues - number) / project.issues) ** 1.6 * 900 * day + random.next() * 2 * day;
    const createdAt = Math.round(now - age);
    const { title, body, labels: own } = issueText(random, project);
    const status = pickStatus(random, age / day);
    const id = `${project.id}-${number}`;
    // Reports of devices are short, and nobody has read most of them.
    const comments = project.large ? [] : seedComments(random, data, { id, team, createdAt, now });
    const lastSaid = Math.max(createdAt, ...comments.map((comment) => Date.parse(comment.createdAt)));
    const updatedAt = lastSaid + random.next() * Math.min(day, now - lastSaid);
    /** @type {IssueRecord} */
    const issue = {
      id,
      project: project.id,
      number,
      title,
      body: project.large ? body.slice(0, body.indexOf('\n\n')) : body,
      status,
      priority: pickPriority(random),
      author: random.chance(0.8) ? random.pick(team).id : random.pick(data.people).id,
      assignee: project.large || status === 'triage' || random.chance(0.12) ? null : random.pick(team).id,
      labels: pickLabels(random, data.labels, project.labels, own),
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
      version: 1 + comments.length,
    };
    data.issues.push(issue);
    data.comments.push(...comments);
  }
  data.lastNumber[project.id] = project.issues;
}

/**
 * @param {Random} random
 * @param {Data} data
 * @param {{ id: string, team: PersonRecord[], createdAt: number, now: number }} issue
 * @returns {CommentRecord[]}
 */
function seedComments(random, data, { id, team, createdAt, now }) {
  const count = random.weighted([
    [0, 3],
    [1, 3],
    [2, 3],
    [3, 2],
    [5, 1],
    [8, 0.4],
  ]);
  let at = createdAt;
  return Array.from({ length: count }, () => {
    at += random.next() * Math.min(4 * day, (now - at) / 2);
    const time = new Date(Math.round(at)).toISOString();
    return {
      id: String(++data.lastComment),
      issue: id,
      author: random.pick(team).id,
      body: commentText(random),
      createdAt: time,
      updatedAt: time,
    };
  });
}

/**
 * @param {Random} random
 * @param {number} days the issue's age: old issues are mostly closed
 * @returns {Status}
 */
function pickStatus(random, days) {
  if (days > 45 && random.chance(0.86)) return random.chance(0.84) ? 'done' : 'canceled';
  return random.weighted(
    /** @type {const} */ ([
      ['triage', 2],
      ['todo', 4],
      ['in_progress', 3],
      ['in_review', 1.5],
      ['done', 3],
      ['canceled', 0.5],
    ]),
  );
}

/**
 * @param {Random} random
 * @returns {Priority}
 */
function pickPriority(random) {
  return random.weighted(
    /** @type {const} */ ([
      ['urgent', 0.6],
      ['high', 2],
      ['medium', 4],
      ['low', 3],
      ['none', 2],
    ]),
  );
}

/**
 * @param {Random} random
 * @param {LabelRecord[]} all
 * @param {string[]} usual the project's own usual labels
 * @param {string[]} own names that the text asks for
 * @returns {string[]} ids, in the order of the label list
 */
function pickLabels(random, all, usual, own) {
  const names = new Set([
    ...own,
    ...random.sample(
      usual,
      random.weighted([
        [0, 4],
        [1, 4],
        [2, 1],
      ]),
    ),
  ]);
  if (random.chance(0.05)) names.add('blocked');
  return all.filter((label) => names.has(label.name)).map((label) => label.id);
}

/** @param {string} name */
function slug(name) {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
