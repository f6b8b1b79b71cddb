/**
 * How often components have rendered; `needless`: how many of those renders of a live query's list and rows showed
 * what was shown before.
 */
export const renders = { list: 0, row: 0, needless: 0 };
