import { useOutbox, type OutboxEntry, type OutboxState } from 'holdfast/outbox';
import { useController, useOnline } from 'holdfast/react';
import { useState } from 'react';
import { useConnection } from '../data/services.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { FailedEntry } from './FailedEntry.tsx';
import { WaitingEntry } from './WaitingEntry.tsx';

const names: readonly (readonly [OutboxEntry['status'], string])[] = [
  ['queued', 'waiting'],
  ['sending', 'being sent'],
  ['retrying', 'to be sent again'],
  ['needs-auth', 'waiting for you to sign in'],
  ['blocked', 'blocked by this browser or network'],
  ['conflict', 'in conflict'],
  ['failed', 'not accepted'],
];

function summaryOf(counts: OutboxState['counts']): string {
  return names
    .flatMap(([status, name]) => (counts[status] > 0 ? `${counts[status]} ${name}` : []))
    .join(' · ');
}

/** The changes that the server does not have yet, and those that it did not accept. */
export function OutboxDialog({ onClose }: { onClose: () => void }) {
  const controller = useController();
  const connection = useConnection();
  const isOnline = useOnline();
  const { pending, failed, counts, drain } = useOutbox();
  const [asking, setAsking] = useState(false);

  async function send() {
    setAsking(true);
    await connection.probe();
    if (controller.environment.isOnline) await drain();
    setAsking(false);
  }

  return (
    <Dialog title="Outbox" kind="drawer" onClose={onClose}>
      <div className="drawer-scroll">
        {failed.length + pending.length > 0 && <p className="muted">{summaryOf(counts)}</p>}
        {failed.length > 0 && (
          <section aria-labelledby="outbox-failed">
            <h3 id="outbox-failed">Needs your attention</h3>
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
              {isOnline ? 'Being sent' : 'Waiting for the server'}{' '}
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
            <h3>Everything is saved on the server</h3>
            <p>Changes that you make offline wait here until the server has them.</p>
          </div>
        )}
      </div>
      {pending.length > 0 && (
        <footer className="drawer-footer">
          <p className="muted">Sent once each, in this order, even after a restart.</p>
          <button type="button" className="button" disabled={asking} onClick={() => void send()}>
            {asking ? 'Sending…' : 'Send now'}
          </button>
        </footer>
      )}
    </Dialog>
  );
}
