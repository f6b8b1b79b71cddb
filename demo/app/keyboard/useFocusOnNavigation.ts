import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the content when another screen is shown and the focused element is gone, so that a keyboard or
 * screen reader continues there instead of at the start of the page.
 *
 * @param place - the subject of the screen
 */
export function useFocusOnNavigation(place: string): void {
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    if (document.activeElement === document.body) document.getElementById('main')?.focus();
  }, [place]);
}
