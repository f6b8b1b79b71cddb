import type { MountedQuery, QueryIndex } from 'holdfast';
import { useStatus } from 'holdfast/react';
import { Facts } from '../parts/Facts.tsx';
import { counted } from '../parts/format.ts';
import { Tag } from '../parts/Tag.tsx';
import { storageOf, type Storage } from './storageReport.ts';
import type { TabProps } from './TabProps.ts';

/** The mounted live queries, and all indexes with what each costs. */
export function QueriesTab({ inspected }: TabProps) {
  const { controller } = inspected;
  const queries = controller.mountedQueries().filter(isLive);
  const storage = storageOf(controller);
  return (
    <div className="scroll cards">
      <section className="card">
        <h2>Live queries</h2>
        {storage !== undefined && <Restoring storage={storage} />}
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
          {controller.queryIndexes().map((index, at) => {
            const { buckets, openBuckets, entries } = index.cost;
            return (
              <li key={at}>
                {indexText(index)} {index.queries === 0 && <Tag tone="stale">unused</Tag>}
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

/** Says that queries may still get rows from disk. */
function Restoring({ storage }: { storage: Storage }) {
  const { isRestored } = useStatus(storage.status);
  return isRestored ? null : <p>More rows are being restored from disk.</p>;
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

/** Whether a query has a `Select` or `Aggregate` in it. */
function isLive({ schema, parts }: MountedQuery): boolean {
  return parts.length > 0 || optionsOf(schema) !== undefined;
}

/** What kind of query it is, and of which tables. Class names do not survive a minifier. */
function kindOf({ schema, parts }: MountedQuery): string {
  const options = optionsOf(schema);
  const kind = options === undefined ? 'Query' : 'values' in options ? 'Aggregate' : 'Select';
  const tables = [...new Set(parts.map(({ index }) => index.entity.key))];
  return tables.length === 0 ? kind : `${kind} of ${tables.join(', ')}`;
}

/** Whether its first read tests every row of a table, or each change every member of its source. */
function isUnindexed({ parts }: MountedQuery): boolean {
  return (
    parts.length === 0 ||
    parts.some(
      ({ index: { fields, ranges }, isTested, range }) =>
        isTested && fields.length === 0 && (range === undefined || !ranges.includes(range)),
    )
  );
}

/** An index in words, such as "Issue by project and state, sorted by priority desc". */
function indexText({ entity, fields, ranges, ordering }: QueryIndex): string {
  const by = fields.length === 0 ? 'all rows' : `by ${fields.join(' and ')}`;
  const levels = JSON.parse(ordering.id) as [path: string[], how: { direction?: string }][]; // as orderingOf writes it
  const order = levels.map(([path, { direction = 'asc' }]) => `${path.join('.')} ${direction}`);
  const sorted = order.length === 0 ? '' : `, sorted by ${order.join(', ')}`;
  return `${entity.key} ${by}${sorted}${ranges.length === 0 ? '' : `, ranges of ${ranges.join(', ')}`}`;
}

function optionsOf(schema: unknown): object | undefined {
  const { options, derive } = Object(schema) as { options?: unknown; derive?: unknown }; // any schema
  return typeof options === 'object' && options !== null && derive === undefined ? options : undefined;
}
