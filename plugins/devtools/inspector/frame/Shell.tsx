import { useEffect, useMemo, useRef, useState } from 'react';
import type { Controller } from 'holdfast';
import type { InspectorOptions } from '../../InspectorOptions.ts';
import { Icon } from '../parts/Icon.tsx';
import { TabStateContext, type TabState } from '../parts/TabState.ts';
import { Panel } from './Panel.tsx';
import { readSession, writeSession, type Session } from './session.ts';

const MODIFIERS = ['Alt', 'Control', 'Meta', 'Shift'] as const;

/** The button in the corner, or the panel that it opens. */
export function Shell({ controller, options }: { controller: Controller; options: InspectorOptions }) {
  const { position = 'bottom-right', shortcut = 'Alt+Shift+H', defaultOpen = false } = options;
  const [session, setSession] = useState(() => readSession(defaultOpen));
  const root = useRef<HTMLDivElement>(null);
  const { isOpen, theme, kept } = session;
  const wasOpen = useRef(isOpen);

  const change = (part: Partial<Session>): void => {
    setSession((last) => ({ ...last, ...part }));
  };
  const keeping = useMemo<TabState>(
    () => ({
      values: kept,
      keep: (name, value) => setSession((last) => ({ ...last, kept: { ...last.kept, [name]: value } })),
    }),
    [kept],
  );

  useEffect(() => {
    writeSession(session);
  }, [session]);

  useEffect(() => {
    // After a reload, the panel does not take the focus.
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    root.current?.querySelector<HTMLElement>(isOpen ? '.panel' : '.launcher')?.focus();
  }, [isOpen]);

  useEffect(() => {
    if (shortcut === false) return;
    const listen = (event: Event): void => {
      // When Chrome fills in a form, it dispatches events of this type without a key.
      if (!(event instanceof KeyboardEvent) || !isShortcut(event, shortcut)) return;
      event.preventDefault();
      setSession((last) => ({ ...last, isOpen: !last.isOpen }));
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [shortcut]);

  return (
    <div ref={root} className={`inspector ${theme}`}>
      {isOpen ? (
        <TabStateContext.Provider value={keeping}>
          <Panel controller={controller} session={session} onChange={change} />
        </TabStateContext.Provider>
      ) : (
        <button
          type="button"
          className={`launcher ${position}`}
          aria-label="Open the Holdfast inspector"
          title={shortcut === false ? 'Holdfast inspector' : `Holdfast inspector (${shortcut})`}
          onClick={() => change({ isOpen: true })}
        >
          <Icon name="anchor" />
        </button>
      )}
    </div>
  );
}

/** Whether a key event is a shortcut such as `Alt+Shift+H`; `Ctrl` is short for `Control`. */
function isShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const parts = shortcut.split('+').map((part) => (part === 'Ctrl' ? 'Control' : part));
  const key = parts.at(-1)?.toLowerCase() ?? '';
  if (MODIFIERS.some((modifier) => event.getModifierState(modifier) !== parts.includes(modifier)))
    return false;
  // With Alt, macOS types another character.
  return event.key.toLowerCase() === key || event.code.toLowerCase() === `key${key}`;
}
