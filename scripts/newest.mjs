import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * When a file, or anything in a folder, was last changed, in ms since the epoch. The folders themselves count, since
 * deleting a file changes its folder alone.
 *
 * @param {string} place
 * @returns {number}
 */
export function newest(place) {
  const stats = statSync(place);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(place).map((name) => newest(path.join(place, name))));
}
