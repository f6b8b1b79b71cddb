import { useOutbox } from 'holdfast/outbox';
import { useController } from 'holdfast/react';
import { useState } from 'react';
import { useConnection } from '../data/services.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useSession } from './SessionContext.ts';

/** Shown before a person signs out who has changes that the server does not have. */
export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const controller = useController();
  const connection = useConnection();
  const { pending, failed, drain } = useOutbox();
  const { person, signOut } = useSession();
  const [busy, setBusy] = useState<'sending' | 'leaving'>();
  const [problem, setProblem] = useState<string>();

  const unsent = pending.length + failed.length;
  const are = unsent === 1 ? 'is' : 'are';

  async function send() {
    setBusy('sending');
    setProblem(undefined);
    await connection.probe();
    const isSent = controller.environment.isOnline && (await drain());
    if (isSent && failed.length === 0) await leave();
    else {
      setBusy(undefined);
      setProblem(
        controller.environment.isOnline
          ? 'The server did not accept everything. Open the outbox to review it.'
          : 'The server can’t be reached.',
      );
    }
  }

  async function leave() {
    setBusy('leaving');
    await signOut();
  }

  return (
    <Dialog
      title={unsent === 1 ? '1 change is not sent yet' : `${unsent} changes are not sent yet`}
      onClose={onClose}
    >
      <p>
        If you sign out now, {unsent === 1 ? 'it stays' : 'they stay'} on this device, hidden from others, and{' '}
        {are} sent when {person.name} signs in again.
      </p>
      {problem !== undefined && (
        <p className="dialog-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" disabled={busy !== undefined} onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button" disabled={busy !== undefined} onClick={() => void leave()}>
          {busy === 'leaving' ? 'Signing out…' : 'Sign out anyway'}
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={busy !== undefined}
          onClick={() => void send()}
          data-autofocus
        >
          {busy === 'sending' ? 'Sending…' : 'Send now'}
        </button>
      </div>
    </Dialog>
  );
}
