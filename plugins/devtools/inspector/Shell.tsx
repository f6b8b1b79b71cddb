import { useEffect, useRef, useState } from 'react';
import type { Controller } from 'holdfast';
import type { InspectorOptions } from '../InspectorOptions.ts';
import { Icon } from './Icon.tsx';
import { Panel } from './Panel.tsx';
import { readSession, writeSession, type Session } from './session.ts';
import { isShortcut } from './shortcut.ts';

/** The button in the corner, or the panel that it opens. */
export function Shell({ controller, options }: { controller: Controller; options: InspectorOptions }) {
  const { position = 'bottom-right', shortcut = 'Alt+Shift+H', defaultOpen = false } = options;
  const [session, setSession] = useState(() => readSession(defaultOpen));
  const launcher = useRef<HTMLButtonElement>(null);
  const { isOpen } = session;
  const wasOpen = useRef(isOpen);

  const change = (part: Partial<Session>): void => {
    setSession((last) => ({ ...last, ...part }));
  };

  useEffect(() => {
    writeSession(session);
  }, [session]);

  useEffect(() => {
    if (wasOpen.current && !isOpen) launcher.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  useEffect(() => {
    if (shortcut === false) return;
    const listen = (event: KeyboardEvent): void => {
      if (!isShortcut(event, shortcut)) return;
      event.preventDefault();
      setSession((last) => ({ ...last, isOpen: !last.isOpen }));
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [shortcut]);

  if (isOpen) return <Panel controller={controller} session={session} onChange={change} />;
  return (
    <button
      ref={launcher}
      type="button"
      className={`launcher ${position}`}
      aria-label="Open the Holdfast inspector"
      title={shortcut === false ? 'Holdfast inspector' : `Holdfast inspector (${shortcut})`}
      onClick={() => change({ isOpen: true })}
    >
      <Icon name="anchor" />
    </button>
  );
}
