/** Marks the elements of a streamed page that carry data. */
export const ATTRIBUTE = 'data-holdfast-state';

/**
 * Ends the text of such an element, so that one which the browser has read in part is told from a whole one. JSON has
 * no line breaks but those between its members, and ours has none there.
 */
export const END = '\n';

/**
 * An element that carries data and runs nothing, so that no Content-Security-Policy has to allow it.
 *
 * @param text - ends in `END`
 */
export function stateScript(text: string): string {
  return `<script type="application/json" ${ATTRIBUTE}>${text}</script>`;
}
