import type { Controller } from 'holdfast';

/** The plugin's name, which is the origin of its commits. */
export const NAME = 'indexeddb';

/** What the plugin uses of its controller. */
export type ControllerApi = Pick<
  Controller,
  | 'plugins'
  | 'now'
  | 'apply'
  | 'currentList'
  | 'entitiesOf'
  | 'mountedKeys'
  | 'queriedRows'
  | 'schemaOf'
  | 'reset'
  | 'schedule'
  | 'witness'
>;
