import { outboxReason, useOutbox, type OutboxEntry } from 'holdfast/outbox';
import { useController, useOnline } from 'holdfast/react';
import { Icon } from '../ui/Icon.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { entryText } from './entryText.ts';

/** A change that is not on the server yet. */
export function WaitingEntry({ entry }: { entry: OutboxEntry }) {
  const controller = useController();
  const isOnline = useOnline();
  const { entries, discard } = useOutbox();
  const { icon, title, detail } = entryText(controller, entry);
  const isSending = entry.status === 'sending';
  const first = entries.find(({ temporaryPk }) => entry.dependsOn.includes(temporaryPk));
  return (
    <li className={`entry${isSending ? ' is-sending' : ''}`}>
      <span className="entry-icon">
        <Icon name={icon} />
      </span>
      <div className="entry-text">
        <strong>{title}</strong>
        <span className="entry-detail">{detail}</span>
        <span className="entry-state">
          {first !== undefined && !isSending
            ? `It is sent after “${entryText(controller, first).title}”.`
            : outboxReason(entry, isOnline)}
        </span>
        <span className="entry-state">
          Changed <RelativeTime date={new Date(entry.createdAt)} />
          {entry.attempts > 0 && ` · tried ${entry.attempts === 1 ? 'once' : `${entry.attempts} times`}`}
        </span>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={`Discard: ${title}`}
        title="Discard"
        disabled={isSending}
        onClick={() => {
          discard(entry.key);
        }}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
}
