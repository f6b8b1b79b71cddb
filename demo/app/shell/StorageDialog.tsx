import type { StorageEstimate, StorageStatus } from 'holdfast/indexeddb';
import { useOutbox } from 'holdfast/outbox';
import { useController } from 'holdfast/react';
import { useEffect, useState } from 'react';
import { useStorage, useStorageStatus } from '../data/storage.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { toast } from '../ui/toasts.ts';

const count = new Intl.NumberFormat('en');
const size = new Intl.NumberFormat('en', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });

/** What is saved on this device and whether saving works. It also deletes the data, or asks the browser to keep it. */
export function StorageDialog({ onClose }: { onClose: () => void }) {
  const storage = useStorage();
  const status = useStorageStatus();
  const [estimate, setEstimate] = useState<StorageEstimate>();
  const [isAsking, setIsAsking] = useState(false);

  useEffect(() => {
    let isCurrent = true;
    void storage.estimate().then((found) => {
      if (isCurrent) setEstimate(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [storage, status.flushedAt, status.rows]);

  async function keep() {
    const isKept = await storage.requestPersistence();
    toast(
      isKept
        ? 'The browser keeps this data, even if the device is full.'
        : 'The browser did not agree. It may delete this data if the device is full.',
    );
  }

  if (isAsking) return <DeleteData onClose={onClose} />;
  return (
    <Dialog title="On this device" onClose={onClose}>
      <p className="storage-state" data-state={status.state}>
        {describe(status)}
      </p>
      {status.problem && (
        <details>
          <summary>Details</summary>
          {status.problem.message}
        </details>
      )}
      <dl className="facts">
        <div>
          <dt>Records</dt>
          <dd>
            {count.format(status.rows)}
            {status.bytes < 1e5 ? '' : ` (about ${size.format(status.bytes / 1e6)})`}
          </dd>
        </div>
        <div>
          <dt>Space used by this site</dt>
          <dd>{estimate ? size.format(estimate.usage / 1e6) : 'unknown'}</dd>
        </div>
        <div>
          <dt>Last saved</dt>
          <dd>
            {status.flushedAt === undefined ? (
              'not since this page was opened'
            ) : (
              <>
                <RelativeTime date={new Date(status.flushedAt)} />, in {status.flushTook ?? 0} ms
              </>
            )}
          </dd>
        </div>
      </dl>
      <div className="dialog-actions">
        <button
          type="button"
          className="button button-quiet button-quiet-danger"
          onClick={() => {
            setIsAsking(true);
          }}
        >
          Delete data…
        </button>
        <button
          type="button"
          className="button"
          title="Asks the browser not to delete it when the device is full"
          onClick={() => void keep()}
        >
          Keep permanently
        </button>
      </div>
    </Dialog>
  );
}

function DeleteData({ onClose }: { onClose: () => void }) {
  const controller = useController();
  const { entries } = useOutbox();

  async function clear() {
    onClose();
    try {
      await controller.reset();
      toast('The data on this device is deleted.');
    } catch {
      toast('The data could not be deleted. Try again.', { tone: 'warning' });
    }
  }

  return (
    <ConfirmDialog
      title="Delete the data on this device?"
      confirm="Delete data"
      onConfirm={() => void clear()}
      onCancel={onClose}
    >
      The issues on the server stay as they are and are loaded again.
      {entries.length > 0 && (
        <>
          {' '}
          <strong>
            {entries.length === 1 ? 'One change' : `${entries.length} changes`} not sent yet will be lost.
          </strong>
        </>
      )}
    </ConfirmDialog>
  );
}

function describe({ state, isRestored }: StorageStatus): string {
  if (state === 'opening') return 'The database is opening…';
  if (state === 'degraded')
    return 'This device cannot save anything at the moment. What you see lasts until you close this page.';
  return isRestored
    ? 'All issues, and the comments that you have opened, are saved here and work offline.'
    : 'The saved data is being loaded…';
}
