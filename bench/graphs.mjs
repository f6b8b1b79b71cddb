/**
 * Data whose entities refer to each other in more than one way.
 *
 * @typedef {object} Member - names the project that holds it
 * @property {string} id
 * @property {string} title
 * @property {string | Project} project - its pk in a response, the project itself when read
 *
 * @typedef {object} Project
 * @property {string} id
 * @property {Member[]} members
 *
 * @typedef {object} Step
 * @property {string} id
 * @property {string} title
 * @property {string | Step | null} next - as with `Member`
 */

export const PROJECT = 'project-0';

/** A project and its members, each of which refers to the project. @returns {Project} */
export function makeProject(size) {
  const members = Array.from({ length: size }, (_, index) => ({
    id: memberId(index),
    title: `Member ${index}`,
    project: PROJECT,
  }));
  return { id: PROJECT, members };
}

export const memberId = (/** @type {number} */ index) => `member-${index}`;

/** Steps, each of which refers to the one after it. @returns {Step[]} */
export function makeChain(length) {
  return Array.from({ length }, (_, index) => ({
    id: stepId(index),
    title: `Step ${index}`,
    next: index + 1 < length ? stepId(index + 1) : null,
  }));
}

export const stepId = (/** @type {number} */ index) => `step-${index}`;
