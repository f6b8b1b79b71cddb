import type { Controller } from 'holdfast';

/** What the plugin uses of its controller. */
export type ControllerApi = Pick<
  Controller,
  | 'plugins'
  | 'now'
  | 'apply'
  | 'entitiesOf'
  | 'mountedKeys'
  | 'queriedRows'
  | 'schemaOf'
  | 'reset'
  | 'schedule'
  | 'witness'
>;
