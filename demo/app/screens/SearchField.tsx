import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { Icon } from '../ui/Icon.tsx';

const pause = 250;

/** Searches while the user types, but only once they pause. */
export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // The address changed otherwise: by the back button, or because the filters were cleared.
  if (value !== lastValue) {
    setLastValue(value);
    setText(value);
  }

  function search() {
    if (text === value) return;
    setLastValue(text);
    onChange(text);
  }
  const searchAfterPause = useEffectEvent(search);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      searchAfterPause();
    }, pause);
    return () => {
      window.clearTimeout(timer);
    };
  }, [text]);

  useShortcuts({
    '/': () => {
      input.current?.focus();
      input.current?.select();
    },
  });

  return (
    <label className="search">
      <span className="visually-hidden">Search in titles and text</span>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        placeholder="Search"
        value={text}
        aria-keyshortcuts="/"
        onChange={(event) => {
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search();
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <kbd>/</kbd>
    </label>
  );
}
