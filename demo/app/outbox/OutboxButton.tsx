import { useOutbox } from 'holdfast/outbox';
import { Icon } from '../ui/Icon.tsx';

/** Opens the outbox, and says how much is in it. */
export function OutboxButton({ onOpen }: { onOpen: () => void }) {
  const { pending, failed } = useOutbox();
  const label = [
    'Outbox',
    pending.length > 0 && `${pending.length} waiting`,
    failed.length > 0 && `${failed.length} not accepted`,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <button
      type="button"
      className="button button-quiet outbox-button"
      aria-label={label}
      aria-haspopup="dialog"
      aria-keyshortcuts="o"
      title={`${label} (o)`}
      onClick={onOpen}
    >
      <Icon name="outbox" />
      <span className="button-text">Outbox</span>
      {pending.length > 0 && <span className="badge">{pending.length}</span>}
      {failed.length > 0 && <span className="badge badge-failed">{failed.length}</span>}
    </button>
  );
}
