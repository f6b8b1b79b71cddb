import { longestTitle } from '../model/Issue.ts';

/** Beside the label of a title, once the title is nearly too long: its length, red if it is over the limit. */
export function TitleLength({ title }: { title: string }) {
  const { length } = title;
  if (length <= 0.8 * longestTitle) return null;
  return (
    <span className="count" data-over={length > longestTitle || undefined}>
      {length} / {longestTitle}
      {length > longestTitle && ': too long for the server'}
    </span>
  );
}
