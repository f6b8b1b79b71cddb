import { Component, useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { messageOf } from './format.ts';
import { Icon } from './Icon.tsx';

/** Shows an error in place of children with a value that cannot be read, such as an Immer draft after its recipe. */
class Readable extends Component<{ children: ReactNode }> {
  override state: { readonly failed?: { readonly error: unknown } } = {};

  static getDerivedStateFromError(error: unknown): object {
    return { failed: { error } };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (failed === undefined) return this.props.children;
    return <p className="placeholder">This cannot be shown: {messageOf(failed.error)}</p>;
  }
}

/** A list beside the details of its selected item; in a narrow panel, one or the other. */
export function Split({
  toolbar,
  list,
  detail,
  placeholder,
  onBack,
}: {
  toolbar?: ReactNode;
  list: ReactNode;
  /** With a key of its own for each item; undefined without a selection. */
  detail: ReactElement | undefined;
  placeholder: string;
  onBack: () => void;
}) {
  const isChosen = detail !== undefined;
  const split = useRef<HTMLDivElement>(null);
  const isBack = useRef(false);

  // While the list is hidden, the element in it that had the focus is hidden too.
  useEffect(() => {
    const find = (selector: string) => split.current?.querySelector<HTMLElement>(selector);
    if (!isChosen && isBack.current) find('.item[tabindex="0"]')?.focus();
    if (isChosen && find('.item:focus') !== null) find('.back')?.focus(); // while it is hidden, the focus stays
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
            <Readable key={detail.key}>{detail}</Readable>
          </>
        ) : (
          <p className="placeholder">{placeholder}</p>
        )}
      </div>
    </div>
  );
}
