import type { HoldfastError } from 'holdfast';

/** Options of `tabs`. */
export interface TabsOptions {
  /** Name of the app, where several share an origin. Give the same one as to the storage plugin. Default: `'holdfast'`. */
  readonly name?: string;
  /** Whose data it is, such as a user's id. Tabs of different scopes tell each other nothing. */
  readonly scope?: string;
  /**
   * Version of the app's data: change it with the fields of your entities. Tabs of different versions, such as during an
   * update, take no data of each other; a reset still reaches all.
   */
  readonly version?: string | number;
  /** Told of what cannot be shared; the tab goes on by itself. Each error once. Default: `console.error`. */
  readonly onError?: (error: HoldfastError) => void;
}
