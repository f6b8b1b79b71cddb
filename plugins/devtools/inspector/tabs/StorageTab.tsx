import { useEffect, useState } from 'react';
import { useStatus } from 'holdfast/react';
import { Facts } from '../parts/Facts.tsx';
import { ago, bytes, counted, duration } from '../parts/format.ts';
import { storageOf, type Estimate, type Storage, type StorageReport } from './storageReport.ts';
import type { TabProps } from './TabProps.ts';
import { Tag } from '../parts/Tag.tsx';

/** The data on disk, and the plugins. */
export function StorageTab({ inspected, view }: TabProps) {
  const { controller } = inspected;
  const storage = storageOf(controller);
  return (
    <div className="scroll cards">
      {storage === undefined ? (
        <section className="card">
          <h2>On disk</h2>
          <p>Nothing: this controller has no storage plugin.</p>
        </section>
      ) : (
        <OnDisk storage={storage} now={view.now} flush={() => controller.flush()} />
      )}
      <section className="card">
        <h2>In memory</h2>
        <Facts
          facts={{
            Results: view.state.results.size.toLocaleString('en'),
            ...Object.fromEntries(
              Object.entries(view.state.tables).map(([table, { size }]) => [table, counted(size, 'row')]),
            ),
          }}
        />
      </section>
      <section className="card">
        <h2>Plugins</h2>
        <ol className="plugins">
          {controller.plugins.map(({ name }) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

function OnDisk({ storage, now, flush }: { storage: Storage; now: number; flush: () => Promise<void> }) {
  const status = useStatus(storage.status);
  const { state, problem, isRestored, restoredRows, rows, flushedAt } = status;
  const estimate = useEstimate(storage, flushedAt);
  return (
    <section className="card">
      <h2>
        On disk{' '}
        <Tag tone={state === 'working' ? 'fresh' : state === 'opening' ? 'loading' : 'error'}>{state}</Tag>
      </h2>
      {problem !== undefined && <p className="error-text">{problem.message}</p>}
      {!isRestored && (
        <progress aria-label="Restored" value={restoredRows} max={Math.max(rows, restoredRows, 1)} />
      )}
      <Facts
        facts={{
          'Rows, about': rows.toLocaleString('en'),
          'Size, about': status.bytes !== undefined && status.bytes > 0 ? bytes(status.bytes) : undefined,
          Restored: isRestored ? `all, ${counted(restoredRows, 'row')}` : counted(restoredRows, 'row'),
          'Last written': writtenText(status, now),
          'The origin uses':
            estimate?.usage === undefined ? undefined : usageText(estimate.usage, estimate.quota),
        }}
      />
      <button
        type="button"
        className="button"
        onClick={() => {
          // The status reports failures.
          flush().catch(() => undefined);
        }}
      >
        Write now
      </button>
    </section>
  );
}

function writtenText({ flushedAt, flushTook }: StorageReport, now: number): string {
  if (flushedAt === undefined) return 'not yet';
  return `${ago(flushedAt, now)}${flushTook === undefined ? '' : ` in ${duration(flushTook)}`}`;
}

function usageText(usage: number, quota: number | undefined): string {
  return quota === undefined ? bytes(usage) : `${bytes(usage)} of ${bytes(quota)}`;
}

/** Reported by the browser, and requested again after each write. */
function useEstimate(storage: Storage, flushedAt: number | undefined): Estimate | undefined {
  const [estimate, setEstimate] = useState<Estimate>();
  useEffect(() => {
    let isWanted = true;
    storage.estimate?.().then(
      (told) => {
        if (isWanted) setEstimate(told);
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [storage, flushedAt]);
  return estimate;
}
