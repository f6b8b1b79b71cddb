import { useStorageStatus } from '../data/storage.ts';

/** How much of what is saved on this device is in memory yet. What is on screen does not wait for it. */
export function RestoreLine() {
  const { isRestored, restoredRows, rows } = useStorageStatus();
  if (isRestored || rows === 0) return null;
  const share = Math.min(1, restoredRows / rows);
  return (
    <div
      className="restore-line"
      role="progressbar"
      aria-label="Reading what is saved on this device"
      aria-valuenow={Math.round(share * 100)}
    >
      <span style={{ scale: `${share} 1` }} />
    </div>
  );
}
