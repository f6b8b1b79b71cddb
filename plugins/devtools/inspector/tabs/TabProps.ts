import type { InspectorStore, View } from '../InspectorStore.ts';

/** The props of each tab. */
export interface TabProps {
  readonly inspected: InspectorStore;
  readonly view: View;
}
