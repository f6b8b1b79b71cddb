import { scryptSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { seed } from './seed.mjs';

/**
 * @typedef {object} User
 * @property {number} id
 * @property {string} email
 * @property {string} username
 * @property {string | null} bio
 * @property {string | null} image
 * @property {string} salt
 * @property {string} password hashed
 * @property {number[]} follows ids of users
 * @property {number[]} favorites ids of articles
 *
 * @typedef {object} Article
 * @property {number} id
 * @property {string} slug
 * @property {string} title
 * @property {string} description
 * @property {string} body
 * @property {string[]} tagList
 * @property {string} createdAt
 * @property {string} updatedAt
 * @property {number} authorId
 *
 * @typedef {object} Comment
 * @property {number} id
 * @property {number} articleId
 * @property {number} authorId
 * @property {string} body
 * @property {string} createdAt
 * @property {string} updatedAt
 *
 * @typedef {object} KeptAnswer
 * @property {number} status
 * @property {unknown} body
 */

/** Everything that the server knows: in memory, and in a JSON file where one is named. */
export class Database {
  lastId = 0;
  /** @type {User[]} */
  users = [];
  /** @type {Article[]} newest first */
  articles = [];
  /** @type {Comment[]} */
  comments = [];
  /** @type {Record<string, KeptAnswer>} the answers of requests, by user and `Idempotency-Key` */
  answers = {};
  tokens = { secret: randomBytes(32).toString('hex'), issued: 0, revokedUpTo: 0 };
  #file;

  /** @param {string} [file] */
  constructor(file) {
    this.#file = file;
    if (file !== undefined && existsSync(file)) Object.assign(this, JSON.parse(readFileSync(file, 'utf8')));
    else seed(this);
    this.save();
  }

  /** Writes the file, in one step: a server that is killed leaves the old one or the new one. */
  save() {
    if (this.#file === undefined) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify(this));
    renameSync(`${this.#file}.new`, this.#file);
  }

  nextId() {
    return (this.lastId += 1);
  }

  /** @param {{ username: string, email: string, password: string }} account */
  addUser({ username, email, password }) {
    const salt = randomBytes(8).toString('hex');
    /** @type {User} */
    const user = {
      id: this.nextId(),
      email,
      username,
      bio: null,
      image: null,
      salt,
      password: hash(password, salt),
      follows: [],
      favorites: [],
    };
    this.users.push(user);
    return user;
  }

  /**
   * @param {User} user
   * @param {string} password
   */
  isPassword(user, password) {
    return user.password === hash(password, user.salt);
  }

  /**
   * @param {User} user
   * @param {string} password
   */
  setPassword(user, password) {
    user.password = hash(password, user.salt);
  }

  /**
   * @param {{ title: string, description: string, body: string, tagList?: string[] }} text
   * @param {number} authorId
   */
  addArticle({ title, description, body, tagList = [] }, authorId, createdAt = new Date().toISOString()) {
    /** @type {Article} */
    const article = {
      id: this.nextId(),
      slug: this.freeSlug(title),
      title,
      description,
      body,
      tagList: [...new Set(tagList)],
      createdAt,
      updatedAt: createdAt,
      authorId,
    };
    this.articles.unshift(article);
    return article;
  }

  /**
   * @param {string} title
   * @param {Article} [own] whose slug may stay
   */
  freeSlug(title, own) {
    const plain =
      title
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
        .replaceAll(/^-|-$/g, '') || 'article';
    const isTaken = (/** @type {string} */ slug) =>
      slug === 'feed' || this.articles.some((article) => article !== own && article.slug === slug);
    let slug = plain;
    for (let number = 2; isTaken(slug); number += 1) slug = `${plain}-${number}`;
    return slug;
  }
}

/**
 * @param {string} password
 * @param {string} salt
 */
function hash(password, salt) {
  // Cheap, since the server is there to be tried.
  return scryptSync(password, salt, 32, { N: 256 }).toString('hex');
}
