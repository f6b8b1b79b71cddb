import { oneOf } from '../parts/TabState.ts';

/** The saved state of the inspector. */
export interface Session {
  readonly isOpen: boolean;
  readonly tab: TabName;
  /** The position of the panel; on a phone it is at the bottom. */
  readonly side: Side;
  /** The height of the panel at the bottom, in CSS pixels. */
  readonly height: number;
  /** The width of the panel at the right, in CSS pixels. */
  readonly width: number;
  readonly theme: Theme;
  /** State of the tabs, such as the text of a search. */
  readonly kept: Readonly<Record<string, string>>;
}

export const TAB_NAMES = ['results', 'rows', 'queries', 'requests', 'commits', 'outbox', 'storage'] as const;
export type TabName = (typeof TAB_NAMES)[number];

export const SIDES = ['bottom', 'right'] as const;
export type Side = (typeof SIDES)[number];

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'holdfast-inspector';

/**
 * The state in this browser tab, or else that of any tab; whether it is open, and the state of its tabs, belong to
 * this browser tab alone.
 */
export function readSession(defaultOpen: boolean): Session {
  const own = stored('sessionStorage');
  const { tab, side, height, width, theme } = { ...stored('localStorage'), ...own };
  return {
    isOpen: typeof own.isOpen === 'boolean' ? own.isOpen : defaultOpen,
    tab: oneOf(TAB_NAMES, tab),
    side: oneOf(SIDES, side),
    height: typeof height === 'number' ? height : defaultHeight(),
    width: typeof width === 'number' ? width : 560,
    theme: oneOf(THEMES, theme),
    kept: texts(own.kept),
  };
}

export function writeSession(session: Session): void {
  const text = JSON.stringify(session);
  try {
    sessionStorage.setItem(KEY, text);
    localStorage.setItem(KEY, text);
  } catch {
    // Without storage, it lasts as long as the page.
  }
}

/** Most screens that are taller than wide, such as phones. */
function defaultHeight(): number {
  return Math.max(440, innerHeight > innerWidth ? Math.round(0.76 * innerHeight) : 0);
}

function stored(name: 'sessionStorage' | 'localStorage'): Partial<Record<keyof Session, unknown>> {
  try {
    return JSON.parse(globalThis[name].getItem(KEY) ?? '{}') as object; // written above
  } catch {
    // Storage is disabled, or contains another value.
    return {};
  }
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(Object(value) as object); // {} for an invalid value
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
