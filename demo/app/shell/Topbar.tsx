import { useController } from 'holdfast/react';
import { useState } from 'react';
import { describeError } from '../data/describeError.ts';
import { refresh } from '../data/refresh.ts';
import { useReachability } from '../data/services.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { OutboxButton } from '../outbox/OutboxButton.tsx';
import type { Route } from '../routing/route.ts';
import { useTheme } from '../settings/useTheme.ts';
import { Icon } from '../ui/Icon.tsx';
import { toast } from '../ui/toasts.ts';

const reachabilities = {
  unknown: {
    name: 'On this device',
    hint: 'Shown from this device. The server has not answered anything yet.',
  },
  reachable: { name: 'Connected', hint: 'The server answered the last request.' },
  unreachable: { name: 'Offline', hint: 'The server can’t be reached. What you opened before still works.' },
};
const themes = {
  system: { name: 'Theme: as the system', icon: 'monitor' },
  light: { name: 'Theme: light', icon: 'sun' },
  dark: { name: 'Theme: dark', icon: 'moon' },
} as const;

/** The state of things, and what concerns the whole app. */
export function Topbar({
  route,
  onMenu,
  onHelp,
  onOutbox,
}: {
  route: Route;
  onMenu: () => void;
  onHelp: () => void;
  onOutbox: () => void;
}) {
  const controller = useController();
  const reachability = useReachability();
  const [theme, nextTheme] = useTheme();
  const [refreshing, setRefreshing] = useState(false);

  async function again() {
    setRefreshing(true);
    try {
      await refresh(controller, route);
    } catch (error) {
      const problem = describeError(error);
      toast(`${problem.message} You see what is saved on this device.`, { tone: 'warning' });
    } finally {
      setRefreshing(false);
    }
  }

  useShortcuts({ r: () => void again(), '?': onHelp, o: onOutbox });

  const { name, hint } = reachabilities[reachability];
  return (
    <header className="topbar">
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
      >
        <Icon name="refresh" /> Refresh
      </button>
      <button
        type="button"
        className="icon-button"
        onClick={nextTheme}
        aria-label={themes[theme].name}
        title={themes[theme].name}
      >
        <Icon name={themes[theme].icon} />
      </button>
      <button
        type="button"
        className="icon-button"
        onClick={onHelp}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
      >
        <Icon name="keyboard" />
      </button>
    </header>
  );
}
