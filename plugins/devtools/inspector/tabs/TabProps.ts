import type { Inspected, View } from '../Inspected.ts';

/** What each tab gets. */
export interface TabProps {
  readonly inspected: Inspected;
  readonly view: View;
}
