import type { ResultRevision } from 'holdfast';
import type { Disk } from '../Disk.ts';
import type { DiskResult } from '../records/records.ts';

/** Results read at a time. */
const RESULTS_AT_ONCE = 256;

/** Applies a revision to the results that are only on disk, and writes them with the next flush. */
export async function reviseOnDisk(disk: Disk, { testKey }: ResultRevision): Promise<void> {
  const { localResets } = disk;
  const isElsewhere = (key: string): boolean => disk.state?.results.get(key) === undefined;
  const keys = [...disk.directory.results].filter((key) => testKey(key) && isElsewhere(key));
  for (let start = 0; start < keys.length; start += RESULTS_AT_ONCE) {
    const found = await disk.reader.results(keys.slice(start, start + RESULTS_AT_ONCE));
    if (localResets !== disk.localResets) return;
    for (const result of found)
      if (isElsewhere(result.key)) disk.pending.results.set(result.key, revised(result, disk.revisions));
  }
}

/** A result with revisions applied. */
export function revised(result: DiskResult, revisions: Iterable<ResultRevision>): DiskResult {
  let current = result;
  for (const { testKey, change } of revisions)
    if (testKey(result.key)) current = { ...change(current), key: result.key, refs: result.refs };
  return current;
}
