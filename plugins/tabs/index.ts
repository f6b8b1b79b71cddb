export { tabs } from './tabs.ts';
export type { TabsOptions } from './TabsOptions.ts';
