import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from './Icon.tsx';

/** A list beside what is chosen of it; where that is too narrow, one or the other. */
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
  const split = useRef<HTMLDivElement>(null);
  const isBack = useRef(false);

  // Where the list is not seen, what had the focus in it is not seen either.
  useEffect(() => {
    const find = (selector: string) => split.current?.querySelector<HTMLElement>(selector);
    if (!isChosen && isBack.current) find('.item[tabindex="0"]')?.focus();
    if (isChosen && find('.item:focus') !== null) find('.back')?.focus(); // where that is hidden, the focus stays
    isBack.current = false;
  }, [isChosen]);

  return (
    <div ref={split} className={isChosen ? 'split has-detail' : 'split'}>
      <div className="master">
        {toolbar !== undefined && <div className="toolbar">{toolbar}</div>}
        <div className="scroll">{list}</div>
      </div>
      <div className="detail">
        {isChosen ? (
          <>
            <button
              type="button"
              className="button back"
              onClick={() => {
                isBack.current = true;
                onBack();
              }}
            >
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
