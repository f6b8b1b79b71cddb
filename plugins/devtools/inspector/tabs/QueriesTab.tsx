import type { MountedQuery } from 'holdfast';
import { Facts } from '../parts/Facts.tsx';
import { counted } from '../parts/format.ts';
import { Tag } from '../parts/Tag.tsx';
import { indexText, isLive, isUnindexed, kindOf } from './liveQueries.ts';
import type { TabProps } from './TabProps.ts';

/** The mounted live queries with their indexes, and what each index costs. */
export function QueriesTab({ inspected }: TabProps) {
  const queries = inspected.controller.mountedQueries().filter(isLive);
  const indexes = [...new Set(queries.flatMap(({ parts }) => parts.map(({ index }) => index)))];
  return (
    <div className="scroll cards">
      <section className="card">
        <h2>Live queries</h2>
        {queries.length === 0 && <p>No Select or Aggregate is mounted.</p>}
        <ol aria-label="Live queries">
          {queries.map((query, at) => (
            <li key={at}>
              <Query query={query} />
            </li>
          ))}
        </ol>
      </section>
      <section className="card">
        <h2>Indexes</h2>
        <ol aria-label="Indexes">
          {indexes.map((index, at) => {
            const { buckets, openBuckets, entries } = index.cost;
            return (
              <li key={at}>
                {indexText(index)}
                <Facts
                  facts={{
                    Queries: index.queries,
                    Entries: entries.toLocaleString('en'),
                    Buckets: `${buckets.toLocaleString('en')}, of which ${openBuckets.toLocaleString('en')} read`,
                  }}
                />
              </li>
            );
          })}
        </ol>
      </section>
    </div>
  );
}

function Query({ query }: { query: MountedQuery }) {
  return (
    <>
      {kindOf(query)} <code>{JSON.stringify(query.args)}</code>{' '}
      {isUnindexed(query) && <Tag tone="stale">no index</Tag>}
      <ul>
        {query.parts.map(({ index, rows }, at) => (
          <li key={at}>
            {counted(rows, 'row')} from {indexText(index)}
          </li>
        ))}
        {query.parts.length === 0 && <li>Each change tests all members of its source.</li>}
      </ul>
    </>
  );
}
