import type { HoldfastError } from 'holdfast';

/** Options of `tabs`. */
export interface TabsOptions {
  /**
   * Name of the app, if several share an origin. Use the same name as for the storage plugin. Default: `'holdfast'`.
   */
  readonly name?: string;
  /** Whose data it is, such as a user's id. Tabs of different scopes share nothing. */
  readonly scope?: string;
  /**
   * Version of the app's data: change it with the fields of your entities. Tabs of different versions, as during an
   * update, share no data; a reset still reaches all.
   */
  readonly version?: string | number;
  /**
   * Called with values that cannot be shared; the tab continues without them. Each error once. Default:
   * `console.error`.
   */
  readonly onError?: (error: HoldfastError) => void;
}
