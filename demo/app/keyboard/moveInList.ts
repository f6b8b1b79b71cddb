/**
 * Moves the focus by rows of the list on screen.
 *
 * @param step 1 for the next row, -1 for the one before
 */
export function moveInList(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter(
    (row) => row.offsetParent !== null,
  );
  const focused = rows.findIndex((row) => row === document.activeElement);
  const selected = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const from = focused >= 0 ? focused : selected;
  const to = from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step));
  rows[to]?.focus();
  rows[to]?.scrollIntoView({ block: 'nearest' });
}
