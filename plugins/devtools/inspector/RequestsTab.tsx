import { useState } from 'react';
import type { TrafficEntry } from '../Traffic.ts';
import { Data } from './Data.tsx';
import { clockTime, duration, messageOf } from './format.ts';
import { Icon } from './Icon.tsx';
import { Key } from './Key.tsx';
import { Item, Items, Split } from './Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag } from './Tag.tsx';

/** Requests under way, and the last that have ended. */
export function RequestsTab({ inspected, view }: TabProps) {
  const [chosen, setChosen] = useState<number>();
  const { requests, now } = view;
  const entry = requests.find(({ id }) => id === chosen);
  return (
    <Split
      placeholder="Choose a request to see how it went."
      onBack={() => setChosen(undefined)}
      list={
        requests.length === 0 ? (
          <p className="placeholder">No requests so far.</p>
        ) : (
          <Items label="Requests">
            {requests.map((each) => (
              <Item key={each.id} isChosen={each.id === chosen} onChoose={() => setChosen(each.id)}>
                <span className="time">{clockTime(each.startedAt)}</span>
                <Key text={each.key} />
                <Outcome entry={each} now={now} />
              </Item>
            ))}
          </Items>
        )
      }
      detail={
        entry && (
          <article className="about">
            <h2>
              <Key text={entry.key} />
            </h2>
            {entry.endpoint.sideEffect !== true && (
              <div className="buttons">
                <button type="button" className="button primary" onClick={() => inspected.refetch(entry)}>
                  <Icon name="refetch" />
                  Refetch
                </button>
              </div>
            )}
            <dl className="facts">
              <div>
                <dt>Endpoint</dt>
                <dd>{entry.endpoint.name}</dd>
              </div>
              <div>
                <dt>Began</dt>
                <dd>{clockTime(entry.startedAt)}</dd>
              </div>
              <div>
                <dt>Took</dt>
                <dd>{duration((entry.endedAt ?? now) - entry.startedAt)}</dd>
              </div>
            </dl>
            {entry.error !== undefined && (
              <section>
                <h3>Error</h3>
                <p className="error-text">{messageOf(entry.error)}</p>
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

function Outcome({ entry, now }: { entry: TrafficEntry; now: number }) {
  const { startedAt, endedAt, error } = entry;
  const took = duration(Math.max(0, (endedAt ?? now) - startedAt));
  if (endedAt === undefined) return <Tag tone="loading">{took}</Tag>;
  return error === undefined ? <Tag tone="fresh">{took}</Tag> : <Tag tone="error">failed</Tag>;
}
