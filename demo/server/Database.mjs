import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { seedData } from './seed.mjs';

/** @import { CommentRecord, Data, IssueRecord } from './types.js' */

/** Changes that come together are written together; at the latest this many milliseconds after the first. */
const writeDelay = 150;

/** The tracker in memory, and its file. */
export class Database {
  /** @type {Data} */
  data;
  /** @type {Map<string, IssueRecord>} */
  issues;
  #file;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** @type {Promise<void>} */
  #writing = Promise.resolve();
  #dirty = false;
  /** @type {Map<string, CommentRecord[]> | undefined} */
  #comments;

  /**
   * @param {string} file
   * @param {Data} data
   */
  constructor(file, data) {
    this.#file = file;
    this.data = data;
    this.issues = new Map(data.issues.map((issue) => [issue.id, issue]));
  }

  /**
   * Reads the file, or seeds a new one. A file that cannot be read is set aside, never overwritten.
   *
   * @param {string} file
   * @param {number} now milliseconds, for the dates of the seed
   */
  static async open(file, now) {
    await mkdir(dirname(file), { recursive: true });
    const stored = await read(file);
    if (stored) return new Database(file, stored);
    const database = new Database(file, seedData(now));
    database.changed();
    await database.flush();
    return database;
  }

  /**
   * @param {string} issue
   * @returns {readonly CommentRecord[]} oldest first
   */
  commentsOf(issue) {
    this.#comments ??= groupByIssue(this.data.comments);
    return this.#comments.get(issue) ?? [];
  }

  /** Says that `data` changed, so that it is written soon. */
  changed() {
    this.#dirty = true;
    this.#comments = undefined;
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error) => console.error(`Could not write ${this.#file}: ${error.message}`));
    }, writeDelay);
  }

  /** Resolves when everything changed so far is in the file. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async #write() {
    if (!this.#dirty) return;
    this.#dirty = false;
    try {
      await writeWhole(this.#file, JSON.stringify(this.data));
    } catch (error) {
      this.#dirty = true;
      throw error;
    }
  }
}

/** @param {readonly CommentRecord[]} comments */
function groupByIssue(comments) {
  /** @type {Map<string, CommentRecord[]>} */
  const groups = new Map();
  for (const comment of comments) {
    const group = groups.get(comment.issue);
    if (group) group.push(comment);
    else groups.set(comment.issue, [comment]);
  }
  return groups;
}

/**
 * @param {string} file
 * @returns {Promise<Data | undefined>}
 */
async function read(file) {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const data = JSON.parse(text);
    // Files of the first versions have no deletions.
    if (data?.format === 1 && Array.isArray(data.issues)) return { deleted: [], ...data };
  } catch {
    // Told below, together with a file of another format.
  }
  const aside = `${file}.unreadable-${Date.now()}`;
  await rename(file, aside);
  console.warn(
    `${file} is not a data file of this server. It is kept as ${aside}; starting with fresh data.`,
  );
  return undefined;
}

/**
 * A reader, or a crash at any moment, sees the old file or the new one, never half of one.
 *
 * @param {string} file
 * @param {string} text
 */
async function writeWhole(file, text) {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await open(temporary, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
