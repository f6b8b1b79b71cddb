import { useStatus } from 'holdfast/react';
import { useState } from 'react';
import { DataSection } from '../data/DataSection.tsx';
import { Facts } from '../parts/Facts.tsx';
import { ago, clockTime, coarse, counted, messageOf, withoutOrigin } from '../parts/format.ts';
import { Items, More } from '../parts/Items.tsx';
import { useTabState } from '../parts/TabState.ts';
import { outboxOf, type Outbox, type OutboxEntryReport } from './outboxReport.ts';
import { Split } from '../parts/Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag, type Tone } from '../parts/Tag.tsx';

const PAGE = 100;

const TONES: Readonly<Record<OutboxEntryReport['status'], Tone>> = {
  queued: 'stale',
  retrying: 'stale',
  sending: 'loading',
  'needs-auth': 'error',
  blocked: 'error',
  failed: 'error',
  conflict: 'error',
};

/** Mutations in the queue, and those that the server has rejected. */
export function OutboxTab({ inspected, view }: TabProps) {
  const outbox = outboxOf(inspected.controller);
  if (outbox === undefined) return <p className="placeholder">This controller has no outbox.</p>;
  return <Queue outbox={outbox} now={view.now} />;
}

function Queue({ outbox, now }: { outbox: Outbox; now: number }) {
  const { entries } = useStatus(outbox.status);
  const [chosen, setChosen] = useTabState('outbox.chosen');
  const [limit, setLimit] = useState(PAGE);
  const entry = entries.find(({ key }) => key === chosen);
  return (
    <Split
      placeholder="Choose a mutation to see what it sends."
      onBack={() => setChosen('')}
      toolbar={
        <>
          <span className="summary">{counted(entries.length, 'mutation')}</span>
          <span className="bulk">
            <button type="button" className="button" onClick={() => void outbox.drain()}>
              Send now
            </button>
          </span>
        </>
      }
      list={
        entries.length === 0 ? (
          <p className="placeholder">Everything has been sent.</p>
        ) : (
          <>
            <Items
              label="Mutations"
              items={entries.slice(0, limit)}
              keyOf={({ key }) => key}
              chosen={chosen}
              onChoose={setChosen}
            >
              {(each) => (
                <>
                  <span className="time">{clockTime(each.createdAt)}</span>
                  <span className="title">{withoutOrigin(each.name)}</span>
                  <Tag tone={TONES[each.status]}>{each.status}</Tag>
                </>
              )}
            </Items>
            {entries.length > limit && (
              <More
                shown={limit}
                of={counted(entries.length, 'mutation')}
                onMore={() => setLimit(limit + 5 * PAGE)}
              />
            )}
          </>
        )
      }
      detail={entry && <MutationDetail key={entry.key} entry={entry} outbox={outbox} now={now} />}
    />
  );
}

function MutationDetail({ entry, outbox, now }: { entry: OutboxEntryReport; outbox: Outbox; now: number }) {
  const { key, name, status, createdAt, attempts, retryAt, error, args } = entry;
  return (
    <article className="about">
      <h2>{withoutOrigin(name)}</h2>
      <div className="buttons">
        <button type="button" className="button primary" onClick={() => outbox.retry(key)}>
          Try again
        </button>
        <button type="button" className="button" onClick={() => outbox.discard(key)}>
          Discard
        </button>
      </div>
      <Facts
        facts={{
          State: status,
          Queued: `${clockTime(createdAt)}, ${ago(createdAt, now)}`,
          'Failed attempts': attempts,
          'Next attempt': retryAt > now ? `in ${coarse(retryAt - now)}` : undefined,
        }}
      />
      {error !== undefined && (
        <>
          <p className="error-text">{messageOf(error)}</p>
          <DataSection title="Error" value={error} />
        </>
      )}
      <DataSection title="Args" value={args.length === 1 ? args[0] : args} />
    </article>
  );
}
