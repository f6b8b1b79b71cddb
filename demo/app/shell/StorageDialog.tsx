import type { StorageEstimate, StorageStatus } from 'holdfast/indexeddb';
import { useController } from 'holdfast/react';
import { useEffect, useRef, useState } from 'react';
import { useStorage, useStorageStatus } from '../data/storage.ts';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { toast } from '../ui/toasts.ts';

const count = new Intl.NumberFormat('en');
const size = new Intl.NumberFormat('en', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });

/** What is saved on this device, whether that works, and how to be rid of it. */
export function StorageDialog({ onClose }: { onClose: () => void }) {
  const controller = useController();
  const storage = useStorage();
  const status = useStorageStatus();
  const dialog = useRef<HTMLDialogElement>(null);
  const [estimate, setEstimate] = useState<StorageEstimate>();
  const [isClearing, setIsClearing] = useState(false);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    let isCurrent = true;
    void storage.estimate().then((found) => {
      if (isCurrent) setEstimate(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [storage, status.flushedAt, status.rows]);

  async function clear() {
    setIsClearing(true);
    try {
      await controller.reset();
      toast('What was saved on this device is gone.');
      onClose();
    } catch {
      toast('It could not be cleared. Try again.', { tone: 'warning' });
      setIsClearing(false);
    }
  }

  async function keep() {
    const isKept = await storage.requestPersistence();
    toast(
      isKept
        ? 'The browser will not clear it, even if the device is full.'
        : 'The browser has not agreed: it may clear this data if the device is full.',
    );
  }

  return (
    <dialog ref={dialog} className="dialog" onClose={onClose} aria-labelledby="storage-title">
      <h2 id="storage-title">On this device</h2>
      <p className="storage-state" data-state={status.state}>
        {describe(status)}
      </p>
      {status.problem && (
        <details>
          <summary>Why</summary>
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
              'not since the page was opened'
            ) : (
              <>
                <RelativeTime date={new Date(status.flushedAt)} />, in {status.flushTook ?? 0} ms
              </>
            )}
          </dd>
        </div>
      </dl>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => void clear()} disabled={isClearing}>
          Clear
        </button>
        <button type="button" className="button" onClick={() => void keep()}>
          Protect from clearing
        </button>
        <button type="button" className="button button-primary" onClick={onClose} autoFocus>
          Close
        </button>
      </div>
    </dialog>
  );
}

function describe({ state, isRestored }: StorageStatus): string {
  if (state === 'opening') return 'Being opened…';
  if (state === 'degraded') return 'Not saved for now: what you see is kept until this page is closed.';
  return isRestored ? 'What you open is saved and works offline.' : 'Being read…';
}
