import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';

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
  return (
    <Dialog title={title} onClose={onCancel}>
      <p>{children}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel} data-autofocus>
          Cancel
        </button>
        <button type="button" className="button button-danger" onClick={onConfirm}>
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}
