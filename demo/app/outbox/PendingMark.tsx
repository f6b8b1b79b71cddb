import { Icon, type IconName } from '../ui/Icon.tsx';
import type { Mark } from './queue.ts';

const marks: Readonly<Record<Mark, { icon: IconName; name: string; hint: string }>> = {
  waiting: {
    icon: 'clock',
    name: 'Waiting',
    hint: 'Saved on this device, and sent when the server can be reached',
  },
  sending: { icon: 'send', name: 'Sending', hint: 'Being sent to the server' },
  conflict: { icon: 'alert', name: 'Conflict', hint: 'Somebody else changed it too. Choose in the outbox.' },
  failed: {
    icon: 'alert',
    name: 'Not accepted',
    hint: 'The server did not accept a change. See the outbox.',
  },
};

/** Marks an issue or comment that the server does not have yet, or did not accept. */
export function PendingMark({ mark }: { mark: Mark | undefined }) {
  if (!mark) return null;
  const { icon, name, hint } = marks[mark];
  return (
    <span className={`mark mark-${mark}`} title={hint} data-mark={mark}>
      <Icon name={icon} />
      <span className="mark-name">{name}</span>
    </span>
  );
}
