import { useQuery } from 'holdfast/react';
import { Sync } from '../model/issueChanges.ts';
import { RelativeTime } from './RelativeTime.tsx';

/** When this device last received changes from the server. */
export function SyncTime() {
  const sync = useQuery(Sync, { id: 'issues' });
  return (
    <span className="muted">
      {sync && (
        <>
          Synced <RelativeTime date={sync.until} />
        </>
      )}
    </span>
  );
}
