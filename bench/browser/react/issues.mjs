import { makeRows } from '../../data.mjs';

/** The rows of the Node scenarios, each with a copy of its author (one of 100), as a server sends them. */
export function issues(size) {
  return makeRows(size).map((row) => ({ ...row, author: authorOf(row.authorId, 0) }));
}

/** An author as it is after so many renamings. */
export function authorOf(id, renamed) {
  return { id, name: `${id} by name ${renamed}` };
}
