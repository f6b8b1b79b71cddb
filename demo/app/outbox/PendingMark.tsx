import { Icon, type IconName } from '../ui/Icon.tsx';
import type { Mark } from './queue.ts';

const marks: Readonly<Record<Mark, { icon: IconName; name: string; hint: string }>> = {
  waiting: { icon: 'clock', name: 'Waiting', hint: 'On this device; sent when the server can be reached' },
  sending: { icon: 'send', name: 'Sending', hint: 'On its way to the server' },
  failed: { icon: 'alert', name: 'Not accepted', hint: 'The server did not accept a change; see the outbox' },
};

/** Says that what stands beside it is not on the server yet, or that the server would not have it. */
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
