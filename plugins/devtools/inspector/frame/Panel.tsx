import { useEffect, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import type { Controller } from 'holdfast';
import { CommitsTab } from '../tabs/CommitsTab.tsx';
import { Header } from './Header.tsx';
import { InspectorStore } from '../InspectorStore.ts';
import { clockTime, withoutOrigin } from '../parts/format.ts';
import { OutboxTab } from '../tabs/OutboxTab.tsx';
import { QueriesTab } from '../tabs/QueriesTab.tsx';
import { RequestsTab } from '../tabs/RequestsTab.tsx';
import { Resizer } from './Resizer.tsx';
import { ResultsTab } from '../tabs/ResultsTab.tsx';
import { RowsTab } from '../tabs/RowsTab.tsx';
import type { Session, Side } from './session.ts';
import { StorageTab } from '../tabs/StorageTab.tsx';
import { TabList } from './TabList.tsx';

const TABS = {
  results: ResultsTab,
  rows: RowsTab,
  queries: QueriesTab,
  requests: RequestsTab,
  commits: CommitsTab,
  outbox: OutboxTab,
  storage: StorageTab,
};

const NARROW = '(max-width: 720px)';

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

/** Extends the scrollable area of the page by the part that the panel covers. */
function usePageRoom(side: Side, size: number): void {
  useEffect(() => {
    const { style } = document.body;
    const padding = side === 'bottom' ? 'paddingBottom' : 'paddingRight';
    const former = style[padding];
    style[padding] = `${size}px`;
    return () => {
      style[padding] = former;
    };
  }, [side, size]);
}

/** Whether the page is as narrow as on a phone. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow);
}

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

function isNarrow(): boolean {
  const { matchMedia } = globalThis as Partial<typeof globalThis>; // jsdom has none
  return matchMedia?.(NARROW).matches ?? false;
}
