export { devtools, devtoolsInProduction } from './devtools.ts';
export type { DevtoolsOptions } from './DevtoolsOptions.ts';
export type { DevtoolsPlugin, DevtoolsStatus } from './DevtoolsPlugin.ts';
export type { Change } from './changesOf.ts';
export type { TimelineEntry } from './Timeline.ts';
export type { TrafficEntry } from './Traffic.ts';
export { Inspector } from './Inspector.tsx';
export type { InspectorOptions } from './InspectorOptions.ts';
export { renderInspector } from './inspector/renderInspector.tsx';
