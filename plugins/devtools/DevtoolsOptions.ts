/** Options of `devtools`. */
export interface DevtoolsOptions {
  /** The name of this controller in the Redux DevTools. Default: `'Holdfast'`. */
  readonly name?: string;
  /**
   * The state that the Redux DevTools get after each commit: the numbers of rows and results, or all of them, which
   * costs time proportional to the size of the store. Default: `'counts'`.
   */
  readonly state?: 'counts' | 'full';
  /**
   * The maximum number of rows and results of one commit that are listed individually, in the Redux DevTools and in
   * the timeline. Default: 1,000.
   */
  readonly maxChanges?: number;
  /** The number of commits in the timeline. Default: 200. */
  readonly maxCommits?: number;
}
