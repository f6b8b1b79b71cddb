import { useEffect, useEffectEvent } from 'react';

/** Keys as in `KeyboardEvent.key`, and what they do. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const typing = 'input, textarea, select';
/** What is open above the page has the keys, whatever the focus is on. */
const above = 'dialog[open], :popover-open';

/** Single-key shortcuts for the whole page, except while the user types, in a dialog, or with a modifier held. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(typing)) return;
    if (document.querySelector(above)) return;
    const act = Object.hasOwn(shortcuts, event.key) ? shortcuts[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act(event);
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
    };
  }, []);
}
