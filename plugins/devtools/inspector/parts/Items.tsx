import { useState, type KeyboardEvent, type ReactNode } from 'react';

/** A list of selectable items, for pointer and arrow keys. It is a single tab stop, however long. */
export function Items<Each>({
  label,
  items,
  keyOf,
  chosen,
  onChoose,
  children,
}: {
  label: string;
  items: readonly Each[];
  keyOf: (item: Each) => string;
  /** The key of the selected item. */
  chosen: string;
  onChoose: (key: string) => void;
  /** Renders an item. */
  children: (item: Each) => ReactNode;
}) {
  const [last, setLast] = useState(chosen);
  const keys = items.map(keyOf);
  const stop = Math.max(0, keys.indexOf(last));

  const move = (event: KeyboardEvent<HTMLUListElement>): void => {
    const to = { ArrowDown: stop + 1, ArrowUp: stop - 1, Home: 0, End: keys.length - 1 }[event.key];
    const key = to === undefined ? undefined : keys[to];
    if (to === undefined || key === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<HTMLElement>('.item')[to]?.focus();
    // The selection follows the focus if its details are shown beside the list.
    if (chosen !== '') onChoose(key);
  };
  return (
    <ul aria-label={label} className="items" onKeyDown={move}>
      {items.map((item, index) => {
        const key = keys[index] ?? '';
        return (
          <li key={key}>
            <button
              type="button"
              className="item"
              tabIndex={index === stop ? 0 : -1}
              aria-pressed={key === chosen}
              onFocus={() => setLast(key)}
              onClick={() => onChoose(key)}
            >
              {children(item)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Says how many items of a list are not shown, and shows more of them. */
export function More({ shown, of, onMore }: { shown: number; of: string; onMore: () => void }) {
  return (
    <p className="more">
      The first {shown.toLocaleString('en')} of {of}.{' '}
      <button type="button" className="link" onClick={onMore}>
        Show more
      </button>
    </p>
  );
}
