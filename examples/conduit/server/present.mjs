/** @import { Article, Comment, Database, User } from './Database.mjs' */

/**
 * @param {User} user
 * @param {User | undefined} viewer
 */
export function profile({ id, username, bio, image }, viewer) {
  return { username, bio, image, following: viewer?.follows.includes(id) ?? false };
}

/**
 * @param {User} user
 * @param {string} token
 */
export function account({ email, username, bio, image }, token) {
  return { email, token, username, bio, image };
}

/**
 * @param {Database} database
 * @param {Article} article
 * @param {User | undefined} viewer
 */
export function articleOf(database, { id, authorId, ...article }, viewer) {
  return {
    ...article,
    favorited: viewer?.favorites.includes(id) ?? false,
    favoritesCount: database.users.filter(({ favorites }) => favorites.includes(id)).length,
    author: profile(userOf(database, authorId), viewer),
  };
}

/**
 * An article in a list, which has no `body` since the specification of August 2024.
 *
 * @param {Database} database
 * @param {Article} article
 * @param {User | undefined} viewer
 */
export function summary(database, article, viewer) {
  const summarized = articleOf(database, article, viewer);
  return { ...summarized, body: undefined }; // which JSON leaves out
}

/**
 * @param {Database} database
 * @param {Comment} comment
 * @param {User | undefined} viewer
 */
export function commentOf(database, { id, body, createdAt, updatedAt, authorId }, viewer) {
  return { id, body, createdAt, updatedAt, author: profile(userOf(database, authorId), viewer) };
}

/**
 * @param {Database} database
 * @param {number} id
 */
function userOf(database, id) {
  const user = database.users.find((other) => other.id === id);
  if (user === undefined) throw new Error(`No user ${id}`);
  return user;
}
