import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from './Icon.tsx';

/**
 * A modal dialog with a heading. `Escape`, its close button and a click beside it close it. The focus goes to the element
 * with the attribute `data-autofocus`, or to the first button.
 */
export function Dialog({
  title,
  kind = '',
  onClose,
  children,
}: {
  title: ReactNode;
  kind?: '' | 'dialog-wide' | 'drawer';
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
    // React's autoFocus acts before the dialog is open, and showModal() chooses the first button.
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className={`dialog ${kind}`}
      aria-labelledby={heading}
      onClose={(event) => {
        // Events of dialogs within this one bubble in React's tree.
        if (event.target === event.currentTarget) onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      {/* Fills the dialog, so that only a click on the backdrop has the dialog itself as its target. */}
      <div className="dialog-content">
        <header className="dialog-header">
          <h2 id={heading}>{title}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label="Close"
            title="Close (Esc)"
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
