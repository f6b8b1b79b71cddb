const MODIFIERS = ['Alt', 'Control', 'Meta', 'Shift'] as const;

/** Whether a key event is a shortcut such as `Alt+Shift+H`; `Ctrl` is short for `Control`. */
export function isShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const parts = shortcut.split('+').map((part) => (part === 'Ctrl' ? 'Control' : part));
  const key = parts.at(-1)?.toLowerCase() ?? '';
  if (MODIFIERS.some((modifier) => event.getModifierState(modifier) !== parts.includes(modifier)))
    return false;
  // With Alt, macOS types another character.
  return event.key.toLowerCase() === key || event.code.toLowerCase() === `key${key}`;
}
