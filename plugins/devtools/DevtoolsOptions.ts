/** Options of `devtools`. */
export interface DevtoolsOptions {
  /** What the Redux DevTools call this controller. Default: `Holdfast`. */
  readonly name?: string;
  /**
   * What the Redux DevTools get as the state after each commit: how many rows and results there are, or all of them,
   * which costs as much as there is stored. Default: `'counts'`.
   */
  readonly state?: 'counts' | 'full';
  /** Rows and results of one commit that are told one by one, to the Redux DevTools and in the timeline. Default: 1,000. */
  readonly maxChanges?: number;
  /** Commits that the timeline remembers. Default: 200. */
  readonly maxCommits?: number;
}
