/** The lines of a text, each with whether the other text lacks it. */
export function changedLines(text: string, other: string): readonly { line: string; isChanged: boolean }[] {
  const known = new Set(other.split('\n'));
  return text.split('\n').map((line) => ({ line, isChanged: line.trim() !== '' && !known.has(line) }));
}

/** The initial text of a merge: of titles mine; of longer texts theirs, followed by the lines that only mine has. */
export function mergedText(mine: string, theirs: string): string {
  if (!mine.includes('\n') && !theirs.includes('\n')) return mine;
  const own = changedLines(mine, theirs).flatMap(({ line, isChanged }) => (isChanged ? [line] : []));
  return [theirs, ...own].join('\n');
}
