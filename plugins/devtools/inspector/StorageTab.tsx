import { useEffect, useState } from 'react';
import { useStatus } from 'holdfast/react';
import { ago, bytes, counted, duration } from './format.ts';
import { storageOf, type Estimate, type Storage } from './storageReport.ts';
import type { TabProps } from './TabProps.ts';
import { Tag } from './Tag.tsx';

/** What is on disk, and the plugins. */
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
        <dl className="facts">
          <div>
            <dt>Results</dt>
            <dd>{view.state.results.size.toLocaleString('en')}</dd>
          </div>
          {Object.entries(view.state.tables).map(([table, { size }]) => (
            <div key={table}>
              <dt>{table}</dt>
              <dd>{counted(size, 'row')}</dd>
            </div>
          ))}
        </dl>
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
  const { state, problem, isRestored, restoredRows, rows, flushedAt, flushTook } = status;
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
      <dl className="facts">
        <div>
          <dt>Rows, about</dt>
          <dd>{rows.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>Restored</dt>
          <dd>{isRestored ? `all, ${counted(restoredRows, 'row')}` : counted(restoredRows, 'row')}</dd>
        </div>
        {status.bytes !== undefined && status.bytes > 0 && (
          <div>
            <dt>Size, about</dt>
            <dd>{bytes(status.bytes)}</dd>
          </div>
        )}
        <div>
          <dt>Last written</dt>
          <dd>
            {flushedAt === undefined ? 'not yet' : ago(flushedAt, now)}
            {flushTook !== undefined && ` in ${duration(flushTook)}`}
          </dd>
        </div>
        {estimate?.usage !== undefined && (
          <div>
            <dt>The origin uses</dt>
            <dd>
              {bytes(estimate.usage)}
              {estimate.quota !== undefined && ` of ${bytes(estimate.quota)}`}
            </dd>
          </div>
        )}
      </dl>
      <button
        type="button"
        className="button"
        onClick={() => {
          // What fails is told by the status.
          flush().catch(() => undefined);
        }}
      >
        Write now
      </button>
    </section>
  );
}

/** What the browser says, asked anew after each write. */
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
