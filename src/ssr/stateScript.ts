/** Marks the elements of a streamed page that contain data. */
export const ATTRIBUTE = 'data-holdfast-state';

/**
 * Ends the text of such an element, so that one that the browser has read in part can be recognized. JSON has no line
 * breaks except between its members, and ours has none there.
 */
export const END = '\n';

/**
 * An element that contains data and no code, so that every Content-Security-Policy allows it.
 *
 * @param text - ends in `END`
 */
export function stateScript(text: string): string {
  return `<script type="application/json" ${ATTRIBUTE}>${text}</script>`;
}
