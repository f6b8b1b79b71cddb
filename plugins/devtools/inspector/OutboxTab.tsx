import { useState } from 'react';
import { useStatus } from 'holdfast/react';
import { Data } from './Data.tsx';
import { clockTime, coarse, counted } from './format.ts';
import { outboxOf, type Outbox, type QueuedMutation } from './outboxReport.ts';
import { Item, Items, Split } from './Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag, type Tone } from './Tag.tsx';

const TONES: Readonly<Record<QueuedMutation['status'], Tone>> = {
  pending: 'stale',
  sending: 'loading',
  failed: 'error',
};

/** Mutations that wait for the server, and those that it has refused. */
export function OutboxTab({ inspected, view }: TabProps) {
  const outbox = outboxOf(inspected.controller);
  if (outbox === undefined) return <p className="placeholder">This controller has no outbox.</p>;
  return <Queue outbox={outbox} now={view.now} />;
}

function Queue({ outbox, now }: { outbox: Outbox; now: number }) {
  const { entries } = useStatus(outbox.status);
  const [chosen, setChosen] = useState<string>();
  const entry = entries.find(({ key }) => key === chosen);
  return (
    <Split
      placeholder="Choose a mutation to see what it sends."
      onBack={() => setChosen(undefined)}
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
          <Items label="Mutations">
            {entries.map((each) => (
              <Item key={each.key} isChosen={each.key === chosen} onChoose={() => setChosen(each.key)}>
                <span className="time">{clockTime(each.createdAt)}</span>
                <span className="title">{each.name}</span>
                <Tag tone={TONES[each.status]}>{each.status}</Tag>
              </Item>
            ))}
          </Items>
        )
      }
      detail={
        entry && (
          <article className="about">
            <h2>{entry.name}</h2>
            <div className="buttons">
              <button type="button" className="button primary" onClick={() => outbox.retry(entry.key)}>
                Try again
              </button>
              <button type="button" className="button" onClick={() => outbox.discard(entry.key)}>
                Discard
              </button>
            </div>
            <dl className="facts">
              <div>
                <dt>State</dt>
                <dd>{entry.status}</dd>
              </div>
              <div>
                <dt>Failed attempts</dt>
                <dd>{entry.attempts}</dd>
              </div>
              {entry.retryAt > now && (
                <div>
                  <dt>Next attempt</dt>
                  <dd>in {coarse(entry.retryAt - now)}</dd>
                </div>
              )}
            </dl>
            {entry.error !== undefined && (
              <section>
                <h3>Error</h3>
                <Data value={entry.error} />
              </section>
            )}
            <section>
              <h3>Args</h3>
              <Data value={entry.args} />
            </section>
          </article>
        )
      }
    />
  );
}
