import type { ResultRevision } from 'holdfast';
import type { DiskResult } from './records.ts';

/** Changes of results that are on disk only and have not been written there yet: whoever reads one has them done. */
export class Revisions {
  readonly #open = new Set<ResultRevision>();

  begin(revision: ResultRevision): void {
    this.#open.add(revision);
  }

  /** It is on disk now. */
  end(revision: ResultRevision): void {
    this.#open.delete(revision);
  }

  /** A result as it is by now. */
  revised(result: DiskResult): DiskResult {
    let now = result;
    for (const { testKey, change } of this.#open)
      if (testKey(result.key)) now = { ...change(now), key: result.key, refs: result.refs };
    return now;
  }
}
