import type { ResultRevision } from 'holdfast';
import type { DiskResult } from '../records/records.ts';

/** Changes of stored results that are not written yet; they are applied to whatever is read. */
export class Revisions {
  readonly #pending = new Set<ResultRevision>();

  begin(revision: ResultRevision): void {
    this.#pending.add(revision);
  }

  /** The revision is on disk now. */
  end(revision: ResultRevision): void {
    this.#pending.delete(revision);
  }

  /** Revisions from before a reset do not apply to what is stored after it. */
  clear(): void {
    this.#pending.clear();
  }

  /** A result with pending revisions applied. */
  apply(result: DiskResult): DiskResult {
    let current = result;
    for (const { testKey, change } of this.#pending)
      if (testKey(result.key)) current = { ...change(current), key: result.key, refs: result.refs };
    return current;
  }
}
