import type { ResultRevision } from 'holdfast';
import type { Disk } from './Disk.ts';

/** Results read at a time where all of them are. */
const RESULTS_AT_ONCE = 256;

/** Has written with the next flush what a revision changes among the results that are on disk only. */
export async function reviseOnDisk(disk: Disk, { testKey }: ResultRevision): Promise<void> {
  const { generation } = disk;
  const isElsewhere = (key: string): boolean => disk.state?.results.get(key) === undefined;
  const keys = [...disk.onDisk].filter((key) => testKey(key) && isElsewhere(key));
  for (let start = 0; start < keys.length; start += RESULTS_AT_ONCE) {
    const found = await disk.reader.results(keys.slice(start, start + RESULTS_AT_ONCE));
    if (generation !== disk.generation) return;
    for (const result of found)
      if (isElsewhere(result.key)) disk.pending.results.set(result.key, disk.revisions.revised(result));
  }
}
