import { useOutbox } from 'holdfast/outbox';
import { useOnline } from 'holdfast/react';
import { useState } from 'react';
import { useConnection } from '../data/services.ts';
import { useStorageStatus } from '../data/storage.ts';
import { Icon } from '../ui/Icon.tsx';

/** Below the header: says why the screen and the server differ. */
export function OfflineBanner({ onOpen }: { onOpen: () => void }) {
  const isOnline = useOnline();
  const { pending, failed } = useOutbox();
  if (!isOnline) return <Offline waiting={pending.length} />;
  if (failed.length > 0) {
    return (
      <div className="banner banner-failed" role="status">
        <Icon name="alert" />
        <p>{failed.length === 1 ? 'One change needs' : `${failed.length} changes need`} your attention.</p>
        <button type="button" className="button" onClick={onOpen}>
          Review
        </button>
      </div>
    );
  }
  // What is sent at once needs no banner.
  if (!pending.some(({ attempts }) => attempts > 0)) return null;
  return (
    <div className="banner banner-sending" role="status">
      <Icon name="send" />
      <p>{count(pending.length)} being sent to the server…</p>
    </div>
  );
}

function Offline({ waiting }: { waiting: number }) {
  const connection = useConnection();
  const { state } = useStorageStatus();
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
        <strong>You are offline.</strong> {explain(waiting, state === 'degraded')}
      </p>
      <button type="button" className="button" disabled={asking} onClick={() => void ask()}>
        {asking ? 'Trying…' : 'Try now'}
      </button>
    </div>
  );
}

/** @param isUnsaved - whether the device cannot save anything, because it is full, for example */
function explain(waiting: number, isUnsaved: boolean): string {
  if (isUnsaved) return 'This device cannot save changes now, so they need the server.';
  return waiting === 0
    ? 'Your changes are saved on this device and sent later.'
    : `${count(waiting)} saved on this device and will be sent later.`;
}

function count(changes: number): string {
  return changes === 1 ? 'One change is' : `${changes} changes are`;
}
