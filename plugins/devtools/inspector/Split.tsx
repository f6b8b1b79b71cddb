import type { KeyboardEvent, ReactNode } from 'react';
import { Icon } from './Icon.tsx';

/** A list beside what is chosen of it; on a phone, one or the other. */
export function Split({
  toolbar,
  list,
  detail,
  placeholder,
  onBack,
}: {
  toolbar?: ReactNode;
  list: ReactNode;
  /** Undefined where nothing is chosen. */
  detail: ReactNode;
  placeholder: string;
  onBack: () => void;
}) {
  const isChosen = detail !== undefined;
  return (
    <div className={isChosen ? 'split has-detail' : 'split'}>
      <div className="master">
        {toolbar !== undefined && <div className="toolbar">{toolbar}</div>}
        <div className="scroll">{list}</div>
      </div>
      <div className="detail">
        {isChosen ? (
          <>
            <button type="button" className="button back" onClick={onBack}>
              <Icon name="back" />
              Back to the list
            </button>
            {detail}
          </>
        ) : (
          <p className="placeholder">{placeholder}</p>
        )}
      </div>
    </div>
  );
}

/** A list of things to choose from, by pointer or arrow keys. */
export function Items({ label, children }: { label: string; children: ReactNode }) {
  const move = (event: KeyboardEvent<HTMLUListElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.item')];
    items[items.indexOf(event.target) + step]?.focus();
  };
  return (
    <ul aria-label={label} className="items" onKeyDown={move}>
      {children}
    </ul>
  );
}

/** One of them. */
export function Item({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <button type="button" className="item" aria-pressed={isChosen} onClick={onChoose}>
        {children}
      </button>
    </li>
  );
}

/** Tells of what a list does not show, and shows more of it. */
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
