/** @import { Database } from './Database.mjs' */
/** @import { Answer } from './types.js' */

const kept = 500;

/**
 * Carries a request out once for each Idempotency-Key, also across a restart: the answer is kept in the data file
 * together with what the request changed. A refused request changed nothing and may be sent again.
 *
 * @param {Database} database
 * @returns {(key: string | undefined, carryOut: () => Answer | Promise<Answer>) => Promise<Answer>}
 */
export function createOnce(database) {
  /** @type {Map<string, Promise<Answer>>} requests that came and are not answered yet */
  const running = new Map();

  return async (key, carryOut) => {
    if (!key) return carryOut();
    const before = database.data.answers.find((answer) => answer.key === key) ?? (await running.get(key));
    if (before)
      return { status: before.status, body: before.body, headers: { 'Idempotency-Replayed': 'true' } };
    const answering = Promise.resolve(carryOut());
    running.set(key, answering);
    try {
      const answer = await answering;
      database.data.answers.push({ key, status: answer.status, body: answer.body });
      database.data.answers.splice(0, Math.max(0, database.data.answers.length - kept));
      database.changed();
      return answer;
    } finally {
      running.delete(key);
    }
  };
}
