import { oneOf } from '../parts/oneOf.ts';

/** How the inspector was left. */
export interface Session {
  readonly isOpen: boolean;
  readonly tab: TabName;
  /** Where the panel is; a phone has it at the bottom. */
  readonly side: Side;
  /** Of the panel at the bottom, in CSS pixels. */
  readonly height: number;
  /** Of the panel at the right, in CSS pixels. */
  readonly width: number;
  readonly theme: Theme;
  /** What the tabs keep, such as what is searched for. */
  readonly kept: Readonly<Record<string, string>>;
}

export const TAB_NAMES = ['results', 'rows', 'requests', 'commits', 'outbox', 'storage'] as const;
export type TabName = (typeof TAB_NAMES)[number];

export const SIDES = ['bottom', 'right'] as const;
export type Side = (typeof SIDES)[number];

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'holdfast-inspector';

/** As this browser tab has left it, else as any has; whether it is open, and what its tabs keep, is this one's alone. */
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
    // It is forgotten with the page then.
  }
}

/** Most of what is higher than wide, as phones are. */
function defaultHeight(): number {
  return Math.max(440, innerHeight > innerWidth ? Math.round(0.76 * innerHeight) : 0);
}

function stored(name: 'sessionStorage' | 'localStorage'): Partial<Record<keyof Session, unknown>> {
  try {
    return JSON.parse(globalThis[name].getItem(KEY) ?? '{}') as object; // written above, or by nobody
  } catch {
    // Storage is off, or holds something else.
    return {};
  }
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(Object(value) as object); // {} for what is none
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
