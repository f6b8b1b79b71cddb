import { useController } from 'holdfast/react';
import { useState } from 'react';
import { useQueue } from '../outbox/queue.ts';
import { Icon } from '../ui/Icon.tsx';
import { useSession } from './SessionContext.ts';
import { SignOutDialog } from './SignOutDialog.tsx';

/** Signs out: at once if the server has everything, otherwise after a question. */
export function SignOutButton() {
  const controller = useController();
  const queue = useQueue();
  const { signOut } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);

  async function start() {
    setIsBusy(true);
    // Until the stored queue has been read, it looks empty.
    await controller.ready;
    const { entries } = queue.status.get();
    if (entries.length === 0) await signOut();
    else setIsAsking(true);
    setIsBusy(false);
  }

  return (
    <>
      <button type="button" className="nav-item nav-button" disabled={isBusy} onClick={() => void start()}>
        <Icon name="signOut" /> Sign out
      </button>
      {isAsking && (
        <SignOutDialog
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </>
  );
}
