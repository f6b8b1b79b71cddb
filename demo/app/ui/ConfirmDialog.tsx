import { useEffect, useRef, type ReactNode } from 'react';

export function ConfirmDialog({
  title,
  confirm,
  children,
  onConfirm,
  onCancel,
}: {
  title: string;
  confirm: string;
  children: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" onClose={onCancel} aria-labelledby="confirm-title">
      <h2 id="confirm-title">{title}</h2>
      <p>{children}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel} autoFocus>
          Cancel
        </button>
        <button type="button" className="button button-danger" onClick={onConfirm}>
          {confirm}
        </button>
      </div>
    </dialog>
  );
}
