import { useOutbox } from 'holdfast/outbox';
import { useOnline } from 'holdfast/react';
import { useState } from 'react';
import { useConnection } from '../data/services.ts';
import { Icon } from '../ui/Icon.tsx';

/** Below the header while something stands between what is on screen and what is on the server. */
export function OfflineBanner({ onOpen }: { onOpen: () => void }) {
  const isOnline = useOnline();
  const { pending, failed } = useOutbox();
  if (!isOnline) return <Offline waiting={pending.length} />;
  if (failed.length > 0) {
    return (
      <div className="banner banner-failed" role="status">
        <Icon name="alert" />
        <p>
          {failed.length === 1 ? 'One change was' : `${failed.length} changes were`} not accepted by the
          server.
        </p>
        <button type="button" className="button" onClick={onOpen}>
          Review
        </button>
      </div>
    );
  }
  // What is sent at once needs no word.
  if (!pending.some(({ attempts }) => attempts > 0)) return null;
  return (
    <div className="banner banner-sending" role="status">
      <Icon name="send" />
      <p>{count(pending.length)} on the way to the server…</p>
    </div>
  );
}

function Offline({ waiting }: { waiting: number }) {
  const connection = useConnection();
  const [asking, setAsking] = useState(false);

  async function ask() {
    setAsking(true);
    await connection.probe();
    setAsking(false);
  }

  return (
    <div className="banner banner-offline" role="status">
      <Icon name="offline" />
      <p>
        <strong>You are offline.</strong>{' '}
        {waiting === 0
          ? 'What you change is kept on this device and sent later.'
          : `${count(waiting)} kept on this device, to be sent later.`}
      </p>
      <button type="button" className="button" disabled={asking} onClick={() => void ask()}>
        {asking ? 'Asking…' : 'Try now'}
      </button>
    </div>
  );
}

function count(changes: number): string {
  return changes === 1 ? 'One change is' : `${changes} changes are`;
}
