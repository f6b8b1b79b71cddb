import { useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import type { Controller } from 'holdfast';
import { CommitsTab } from './CommitsTab.tsx';
import { Header } from './Header.tsx';
import { Inspected } from './Inspected.ts';
import { OutboxTab } from './OutboxTab.tsx';
import { RequestsTab } from './RequestsTab.tsx';
import { Resizer } from './Resizer.tsx';
import { ResultsTab } from './ResultsTab.tsx';
import { RowsTab } from './RowsTab.tsx';
import type { Session } from './session.ts';
import { StorageTab } from './StorageTab.tsx';
import { TabList } from './TabList.tsx';

const TABS = {
  results: ResultsTab,
  rows: RowsTab,
  requests: RequestsTab,
  commits: CommitsTab,
  outbox: OutboxTab,
  storage: StorageTab,
};

/** Everything, while it is open. */
export function Panel({
  controller,
  session,
  onChange,
}: {
  controller: Controller;
  session: Session;
  onChange: (change: Partial<Session>) => void;
}) {
  const [inspected] = useState(() => new Inspected(controller));
  const view = useSyncExternalStore(inspected.subscribe, inspected.get);
  const panel = useRef<HTMLElement>(null);
  const { tab, height } = session;
  const Tab = TABS[tab];

  useEffect(() => {
    panel.current?.focus();
  }, []);

  const close = (): void => onChange({ isOpen: false });
  const closeByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    close();
  };

  return (
    <section
      ref={panel}
      tabIndex={-1}
      className="panel"
      aria-label="Holdfast inspector"
      style={{ height }}
      onKeyDown={closeByKey}
    >
      <Resizer height={height} onResize={(next) => onChange({ height: next })} />
      <Header inspected={inspected} view={view} onClose={close}>
        <TabList
          selected={tab}
          view={view}
          controller={controller}
          onSelect={(next) => onChange({ tab: next })}
        />
      </Header>
      {inspected.plugin === undefined && (
        <p className="hint">
          Add <code>devtools()</code> to the controller’s plugins to see requests and commits, and to go
          offline.
        </p>
      )}
      <div role="tabpanel" id="tabpanel" aria-labelledby={`tab-${tab}`} className="tabpanel">
        <Tab inspected={inspected} view={view} />
      </div>
    </section>
  );
}
