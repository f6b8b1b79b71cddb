import { useOutbox, type OutboxEntry, type OutboxState } from 'holdfast/outbox';
import { useController, useOnline } from 'holdfast/react';
import { useEffect, useRef, useState } from 'react';
import { useConnection } from '../data/services.ts';
import { Icon } from '../ui/Icon.tsx';
import { FailedEntry } from './FailedEntry.tsx';
import { WaitingEntry } from './WaitingEntry.tsx';

const names: readonly (readonly [OutboxEntry['status'], string])[] = [
  ['queued', 'saved here, to be sent'],
  ['sending', 'being sent'],
  ['retrying', 'to be tried again'],
  ['needs-auth', 'waiting for you to sign in'],
  ['blocked', 'blocked by this browser or network'],
  ['conflict', 'also changed by somebody else'],
  ['failed', 'not accepted'],
];

function summaryOf(counts: OutboxState['counts']): string {
  return names
    .flatMap(([status, name]) => (counts[status] > 0 ? `${counts[status]} ${name}` : []))
    .join(' · ');
}

/** What this device has for the server: what waits, what is on its way, and what needs a person. */
export function OutboxDialog({ onClose }: { onClose: () => void }) {
  const controller = useController();
  const connection = useConnection();
  const isOnline = useOnline();
  const { pending, failed, counts, drain } = useOutbox();
  const [asking, setAsking] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  async function send() {
    setAsking(true);
    await connection.probe();
    if (controller.environment.isOnline) await drain();
    setAsking(false);
  }

  return (
    <dialog
      ref={dialog}
      className="dialog drawer"
      onClose={(event) => {
        // Not of the dialogs within.
        if (event.target === event.currentTarget) onClose();
      }}
      aria-labelledby="outbox-title"
    >
      <header className="drawer-header">
        <h2 id="outbox-title">Outbox</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          autoFocus
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="drawer-scroll">
        {failed.length + pending.length > 0 && <p className="muted">{summaryOf(counts)}</p>}
        {failed.length > 0 && (
          <section aria-labelledby="outbox-failed">
            <h3 id="outbox-failed">Needs you</h3>
            <ul role="list" className="entries">
              {failed.map((entry) => (
                <FailedEntry key={entry.key} entry={entry} />
              ))}
            </ul>
          </section>
        )}
        {pending.length > 0 && (
          <section aria-labelledby="outbox-waiting">
            <h3 id="outbox-waiting">
              {isOnline ? 'On the way' : 'Waiting for the server'}{' '}
              <span className="count">{pending.length}</span>
            </h3>
            <ol role="list" className="entries">
              {pending.map((entry) => (
                <WaitingEntry key={entry.key} entry={entry} />
              ))}
            </ol>
          </section>
        )}
        {failed.length + pending.length === 0 && (
          <div className="outbox-empty">
            <Icon name="check" />
            <p>Everything you did is on the server.</p>
          </div>
        )}
      </div>
      {pending.length > 0 && (
        <footer className="drawer-footer">
          <p className="muted">Sent in this order, also after a restart, each once.</p>
          <button type="button" className="button" disabled={asking} onClick={() => void send()}>
            {asking ? 'Sending…' : 'Send now'}
          </button>
        </footer>
      )}
    </dialog>
  );
}
