import type { KeyboardEvent } from 'react';
import type { Controller } from 'holdfast';
import type { View } from '../InspectorStore.ts';
import { outboxOf } from '../tabs/outboxReport.ts';
import { countResults } from '../tabs/resultItems.ts';
import { TAB_NAMES, type TabName } from './session.ts';

const LABELS: Readonly<Record<TabName, string>> = {
  results: 'Results',
  rows: 'Rows',
  queries: 'Queries',
  requests: 'Requests',
  commits: 'Commits',
  outbox: 'Outbox',
  storage: 'Storage',
};

/** The tabs; arrow keys move between them. */
export function TabList({
  selected,
  view,
  controller,
  onSelect,
}: {
  selected: TabName;
  view: View;
  controller: Controller;
  onSelect: (tab: TabName) => void;
}) {
  const go = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = TAB_NAMES.indexOf(selected);
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TAB_NAMES.length - 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = TAB_NAMES.at(step % TAB_NAMES.length) ?? 'results';
    onSelect(next);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label="What to look at" className="tabs" onKeyDown={go}>
      {TAB_NAMES.map((tab) => {
        const count = countOf(tab, view, controller);
        return (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={tab === selected}
            aria-controls="tabpanel"
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => onSelect(tab)}
          >
            {LABELS[tab]}
            {count > 0 && <span className="count">{count.toLocaleString('en')}</span>}
          </button>
        );
      })}
    </div>
  );
}

function countOf(tab: TabName, { state, mounted, loading }: View, controller: Controller): number {
  if (tab === 'results') return countResults(state, mounted);
  if (tab === 'rows') return Object.values(state.tables).reduce((sum, { size }) => sum + size, 0);
  if (tab === 'requests') return loading.size;
  if (tab === 'outbox') return outboxOf(controller)?.status.get().entries.length ?? 0;
  return 0;
}
