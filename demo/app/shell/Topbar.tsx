import { useController } from 'holdfast/react';
import { useState } from 'react';
import { describeError } from '../data/describeError.ts';
import { refresh } from '../data/refresh.ts';
import { useReachability } from '../data/services.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { OutboxButton } from '../outbox/OutboxButton.tsx';
import type { Route } from '../routing/route.ts';
import { Icon } from '../ui/Icon.tsx';
import { toast } from '../ui/toasts.ts';
import { RestoreLine } from './RestoreLine.tsx';

const reachabilities = {
  unknown: {
    name: 'Local data',
    hint: 'Everything on screen comes from this device. No request was needed yet.',
  },
  reachable: { name: 'Connected', hint: 'The server answered the last request.' },
  unreachable: { name: 'Offline', hint: 'The server can’t be reached. What is on this device still works.' },
};
/** The state of the connection, the outbox and “Refresh”. */
export function Topbar({
  route,
  onMenu,
  onOutbox,
}: {
  route: Route;
  onMenu: () => void;
  onOutbox: () => void;
}) {
  const controller = useController();
  const reachability = useReachability();
  const [refreshing, setRefreshing] = useState(false);

  async function again() {
    setRefreshing(true);
    try {
      await refresh(controller, route);
    } catch (error) {
      const problem = describeError(error);
      toast(`${problem.message} What you see is the data on this device.`, { tone: 'warning' });
    } finally {
      setRefreshing(false);
    }
  }

  useShortcuts({ r: () => void again(), o: onOutbox });

  const { name, hint } = reachabilities[reachability];
  return (
    <header className="topbar">
      <RestoreLine />
      <button type="button" className="icon-button menu-button" onClick={onMenu} aria-label="Menu">
        <Icon name="menu" />
      </button>
      <span className={`connection connection-${reachability}`} role="status" title={hint}>
        <span className="connection-dot" />
        {name}
      </span>
      <span className="spacer" />
      <OutboxButton onOpen={onOutbox} />
      <button
        type="button"
        className={`button button-quiet refresh${refreshing ? ' is-refreshing' : ''}`}
        onClick={() => void again()}
        disabled={refreshing}
        aria-keyshortcuts="r"
        title="Refresh (r)"
      >
        <Icon name="refresh" /> Refresh
      </button>
    </header>
  );
}
