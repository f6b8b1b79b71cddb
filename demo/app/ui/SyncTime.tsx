import { useQuery } from 'holdfast/react';
import { Sync } from '../model/issueChanges.ts';
import { RelativeTime } from './RelativeTime.tsx';

/** How old the issues on this device are. */
export function SyncTime() {
  const sync = useQuery(Sync, { id: 'issues' });
  return (
    <span className="muted">
      {sync && (
        <>
          Updated <RelativeTime date={sync.until} />
        </>
      )}
    </span>
  );
}
