/** What is remembered until the tab is closed. */
export interface Session {
  readonly isOpen: boolean;
  readonly tab: TabName;
  /** Of the panel, in CSS pixels. */
  readonly height: number;
}

export const TAB_NAMES = ['results', 'rows', 'requests', 'commits', 'outbox', 'storage'] as const;

export type TabName = (typeof TAB_NAMES)[number];

const KEY = 'holdfast-inspector';

/** What is remembered, over what it is without that. */
export function readSession(isOpen: boolean): Session {
  const fallback: Session = { isOpen, tab: 'results', height: 380 };
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Session>; // written below, or by nobody
    return {
      isOpen: stored.isOpen ?? isOpen,
      tab: TAB_NAMES.find((tab) => tab === stored.tab) ?? fallback.tab,
      height: typeof stored.height === 'number' ? stored.height : fallback.height,
    };
  } catch {
    // Storage is off, or holds something else.
    return fallback;
  }
}

export function writeSession(session: Session): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // It is forgotten with the page then.
  }
}
