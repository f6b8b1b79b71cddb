import { useState, type ReactNode } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { Placement } from './Placement.tsx';
import type { Session } from './session.ts';
import type { TabProps } from '../tabs/TabProps.ts';

/** The bar with the tabs and the buttons for the whole controller. */
export function Header({
  inspected,
  view,
  session,
  onChange,
  onClose,
  children,
}: TabProps & {
  session: Session;
  onChange: (change: Partial<Session>) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { plugin, controller } = inspected;
  const { isOffline } = view;
  return (
    <header className="header">
      <span className="brand" aria-hidden="true">
        <span className="logo">
          <Icon name="anchor" />
        </span>
        <span className="wide">Holdfast</span>
      </span>
      {children}
      <span className="actions">
        {plugin !== undefined && (
          <button
            type="button"
            role="switch"
            aria-checked={isOffline}
            aria-label="Simulate being offline"
            title="Requests fail as without a network"
            className={isOffline ? 'button is-offline' : 'button'}
            onClick={() => plugin.setOffline(!isOffline)}
          >
            <Icon name={isOffline ? 'offline' : 'online'} />
            <span className="wide">{isOffline ? 'Offline' : 'Online'}</span>
          </button>
        )}
        <Clear
          onClear={() => {
            // A plugin that fails to delete its data reports that to its own `onError`.
            controller.reset().catch(() => undefined);
            inspected.refresh();
          }}
        />
        <span className="icons">
          <Placement session={session} onChange={onChange} />
          <button
            type="button"
            className="button icon-only"
            aria-label="Close the inspector"
            title="Close"
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </span>
      </span>
    </header>
  );
}

/** Asks for confirmation, since it cannot be undone. */
function Clear({ onClear }: { onClear: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      className={isAsking ? 'button danger' : 'button'}
      title="Forgets everything: memory, disk, outbox and other tabs, as a log-out does"
      onBlur={() => setAsking(false)}
      onClick={() => {
        if (isAsking) onClear();
        setAsking(!isAsking);
      }}
    >
      {isAsking ? 'Clear everything?' : 'Clear'}
    </button>
  );
}
