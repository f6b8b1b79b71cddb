import { useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import type { Controller } from 'holdfast';
import { CommitsTab } from '../tabs/CommitsTab.tsx';
import { Header } from './Header.tsx';
import { InspectorStore } from '../InspectorStore.ts';
import { clockTime } from '../parts/format.ts';
import { OutboxTab } from '../tabs/OutboxTab.tsx';
import { QueriesTab } from '../tabs/QueriesTab.tsx';
import { RequestsTab } from '../tabs/RequestsTab.tsx';
import { Resizer } from './Resizer.tsx';
import { ResultsTab } from '../tabs/ResultsTab.tsx';
import { RowsTab } from '../tabs/RowsTab.tsx';
import type { Session } from './session.ts';
import { StorageTab } from '../tabs/StorageTab.tsx';
import { TabList } from './TabList.tsx';
import { withoutOrigin } from '../parts/withoutOrigin.ts';
import { useIsNarrow } from './useIsNarrow.ts';
import { usePageRoom } from './usePageRoom.ts';

const TABS = {
  results: ResultsTab,
  rows: RowsTab,
  queries: QueriesTab,
  requests: RequestsTab,
  commits: CommitsTab,
  outbox: OutboxTab,
  storage: StorageTab,
};

/** The whole inspector, while it is open. */
export function Panel({
  controller,
  session,
  onChange,
}: {
  controller: Controller;
  session: Session;
  onChange: (change: Partial<Session>) => void;
}) {
  const [inspected] = useState(() => new InspectorStore(controller));
  const view = useSyncExternalStore(inspected.subscribe, inspected.get);
  const isNarrow = useIsNarrow();
  const { tab } = session;
  const side = isNarrow ? 'bottom' : session.side;
  const measure = side === 'bottom' ? 'height' : 'width';
  const Tab = TABS[tab];
  usePageRoom(side, session[measure]);

  const close = (): void => onChange({ isOpen: false });
  const closeByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    close();
  };

  return (
    <section
      tabIndex={-1}
      className={`panel at-${side}`}
      aria-label="Holdfast inspector"
      style={{ [measure]: session[measure] }}
      onKeyDown={closeByKey}
    >
      <Resizer side={side} size={session[measure]} onResize={(size) => onChange({ [measure]: size })} />
      <Header inspected={inspected} view={view} session={session} onChange={onChange} onClose={close}>
        <TabList
          selected={tab}
          view={view}
          controller={controller}
          onSelect={(next) => onChange({ tab: next })}
        />
      </Header>
      {view.past !== undefined && (
        <p className="hint" role="status">
          Results and rows are shown as before {view.past.action.type}{' '}
          {withoutOrigin(view.past.action.name ?? '')} at {clockTime(view.past.at)}, and cannot be changed.{' '}
          <button type="button" className="link" onClick={() => inspected.lookBefore()}>
            Back to now
          </button>
        </p>
      )}
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
