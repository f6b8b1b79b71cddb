import { useDeferredValue, useMemo, useState } from 'react';
import { Data } from './Data.tsx';
import { ago, clockTime, counted } from './format.ts';
import { expiryText, Freshness } from './Freshness.tsx';
import { Icon } from './Icon.tsx';
import { Key } from './Key.tsx';
import { resultItems, type ResultFilter, type ResultItem } from './resultItems.ts';
import { Search } from './Search.tsx';
import { Item, Items, More, Split } from './Split.tsx';
import type { TabProps } from './TabProps.ts';

const PAGE = 100;

const FILTERS = [
  ['mounted', 'On screen'],
  ['fresh', 'Fresh'],
  ['stale', 'Stale'],
  ['invalid', 'Invalid'],
  ['error', 'Error'],
] as const;

/** Results of endpoints, how fresh they are, and who shows them. */
export function ResultsTab({ inspected, view }: TabProps) {
  const [filter, setFilter] = useState<ResultFilter>({ text: '', status: undefined });
  const [limit, setLimit] = useState(PAGE);
  const [chosen, setChosen] = useState<string>();
  const wanted = useDeferredValue(filter);
  const { items, matching, counts } = useMemo(() => resultItems(view, wanted, limit), [view, wanted, limit]);
  const item = chosen === undefined ? undefined : (items.find(({ key }) => key === chosen) ?? itemOf(chosen));

  return (
    <Split
      placeholder="Choose a result to see what it holds."
      onBack={() => setChosen(undefined)}
      toolbar={
        <>
          <Search
            label="Search keys"
            value={filter.text}
            onChange={(text) => setFilter({ ...filter, text })}
          />
          <span className="chips" role="group" aria-label="Show only">
            {FILTERS.map(([status, label]) => (
              <button
                key={status}
                type="button"
                className={`chip ${status}`}
                aria-pressed={filter.status === status}
                onClick={() =>
                  setFilter({ ...filter, status: filter.status === status ? undefined : status })
                }
              >
                {label} <b>{counts[status].toLocaleString('en')}</b>
              </button>
            ))}
          </span>
          <span className="bulk">
            <button type="button" className="button" onClick={() => inspected.refetchStale()}>
              Refetch stale
            </button>
            <button type="button" className="button" onClick={() => inspected.expire()}>
              Expire all
            </button>
            <button type="button" className="button" onClick={() => inspected.invalidate()}>
              Invalidate all
            </button>
          </span>
        </>
      }
      list={
        matching === 0 ? (
          <p className="placeholder">{filter.text === '' ? 'No results here.' : 'No key has this in it.'}</p>
        ) : (
          <>
            <Items label="Results">
              {items.map((each) => (
                <Item key={each.key} isChosen={each.key === chosen} onChoose={() => setChosen(each.key)}>
                  <Key text={each.key} />
                  {each.mounted !== undefined && <Readers count={each.mounted.readers} />}
                  <Freshness item={each} now={view.now} />
                </Item>
              ))}
            </Items>
            {matching > items.length && (
              <More
                shown={items.length}
                of={counted(matching, 'result')}
                onMore={() => setLimit(limit + 5 * PAGE)}
              />
            )}
          </>
        )
      }
      detail={item && <ResultDetail item={item} inspected={inspected} view={view} />}
    />
  );

  /** One that the list does not show. */
  function itemOf(key: string): ResultItem | undefined {
    return resultItems(view, { text: key, status: undefined }, Infinity).items.find(
      (each) => each.key === key,
    );
  }
}

function Readers({ count }: { count: number }) {
  return (
    <span className="readers" title={`${counted(count, 'reader')} on screen`}>
      <Icon name="eye" />
      <span aria-hidden="true">{count}</span>
      <span className="hidden">{counted(count, 'reader')} on screen</span>
    </span>
  );
}

function ResultDetail({ item, inspected, view }: TabProps & { item: ResultItem }) {
  const { key, result, mounted } = item;
  const read = inspected.read(key);
  const joined = read && inspected.controller.getResponse(read.endpoint, ...read.args).data;
  return (
    <article className="about">
      <h2>
        <Key text={key} />
      </h2>
      <div className="buttons">
        <button
          type="button"
          className="button primary"
          disabled={read === undefined}
          title={read === undefined ? 'Nobody has read it since the page was loaded' : undefined}
          onClick={() => read && inspected.refetch(read)}
        >
          <Icon name="refetch" />
          Refetch
        </button>
        <button type="button" className="button" onClick={() => inspected.expire(key)}>
          Expire
        </button>
        <button type="button" className="button" onClick={() => inspected.invalidate(key)}>
          Invalidate
        </button>
      </div>
      <dl className="facts">
        {read !== undefined && (
          <div>
            <dt>Endpoint</dt>
            <dd>{read.endpoint.name}</dd>
          </div>
        )}
        <div>
          <dt>On screen</dt>
          <dd>{mounted === undefined ? 'no' : `in ${counted(mounted.readers, 'reader')}`}</dd>
        </div>
        {result !== undefined && (
          <>
            <div>
              <dt>Freshness</dt>
              <dd>{expiryText(result, view.now)}</dd>
            </div>
            <div>
              <dt>Received</dt>
              <dd>
                {clockTime(result.meta.receivedAt)}, {ago(result.meta.receivedAt, view.now)}
              </dd>
            </div>
          </>
        )}
      </dl>
      {result?.error !== undefined && (
        <section>
          <h3>Error</h3>
          <Data value={result.error} />
        </section>
      )}
      {read !== undefined && read.args.length > 0 && (
        <section>
          <h3>Args</h3>
          <Data value={read.args.length === 1 ? read.args[0] : read.args} />
        </section>
      )}
      {joined !== undefined && (
        <section>
          <h3>Data as its readers get it</h3>
          <Data value={joined} />
        </section>
      )}
      {result !== undefined && (
        <section>
          <h3>Stored value, pks in place of entities</h3>
          <Data value={result.value} />
        </section>
      )}
    </article>
  );
}
