import { useDeferredValue, useMemo, useState } from 'react';
import { counted } from '../parts/format.ts';
import { Freshness } from './Freshness.tsx';
import { Items, More } from '../parts/Items.tsx';
import { oneOf, useTabState } from '../parts/TabState.ts';
import { Key } from '../parts/Key.tsx';
import { Readers } from '../parts/Readers.tsx';
import { ResultDetail } from './ResultDetail.tsx';
import { FILTERS, ORDERS, resultItem, resultItems, type Filter, type Order } from './resultItems.ts';
import { Search } from '../parts/Search.tsx';
import { SortBy } from '../parts/SortBy.tsx';
import { Split } from '../parts/Split.tsx';
import type { TabProps } from './TabProps.ts';

const PAGE = 100;

const FILTER_LABELS: Readonly<Record<Filter, string>> = {
  mounted: 'On screen',
  unmounted: 'Off screen',
  loading: 'Loading',
  fresh: 'Fresh',
  stale: 'Stale',
  invalid: 'Invalid',
  error: 'Error',
};

const ORDER_LABELS: Readonly<Record<Order, string>> = {
  screen: 'On screen first',
  received: 'Last received',
  expiry: 'First to be stale',
  status: 'Status',
  key: 'Key',
};

/** Results of endpoints, their freshness, and the components that show them. */
export function ResultsTab({ inspected, view }: TabProps) {
  const [text, setText] = useTabState('results.text');
  const [picked, setPicked] = useTabState('results.filter');
  const [sorted, setSorted] = useTabState('results.order');
  const [reversed, setReversed] = useTabState('results.reversed');
  const [chosen, setChosen] = useTabState('results.chosen');
  const [limit, setLimit] = useState(PAGE);
  const order = oneOf(ORDERS, sorted);
  const filter = FILTERS.find((each) => each === picked);
  const isReversed = reversed !== '';
  const searched = useDeferredValue(text);
  const { items, matching, counts } = useMemo(
    () => resultItems(view, { text: searched, filter, order, isReversed }, limit),
    [view, searched, filter, order, isReversed, limit],
  );
  const item = resultItem(view, chosen);

  return (
    <Split
      placeholder="Choose a result to see what it holds."
      onBack={() => setChosen('')}
      toolbar={
        <>
          <span className="chips" role="group" aria-label="Show only">
            {FILTERS.map((each) => (
              <button
                key={each}
                type="button"
                className={`chip ${each}`}
                aria-pressed={filter === each}
                disabled={counts[each] === 0 && filter !== each}
                onClick={() => setPicked(filter === each ? '' : each)}
              >
                {FILTER_LABELS[each]} <b>{counts[each].toLocaleString('en')}</b>
              </button>
            ))}
          </span>
          <Search label="Search keys" value={text} onChange={setText} />
          <SortBy
            labels={ORDER_LABELS}
            value={order}
            isReversed={isReversed}
            onChange={setSorted}
            onReverse={() => setReversed(isReversed ? '' : 'yes')}
          />
          {view.past === undefined && (
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
          )}
        </>
      }
      list={
        matching === 0 ? (
          <p className="placeholder">{text === '' ? 'No results here.' : 'No key has this in it.'}</p>
        ) : (
          <>
            <Items
              label="Results"
              items={items}
              keyOf={({ key }) => key}
              chosen={chosen}
              onChoose={setChosen}
            >
              {(each) => (
                <>
                  <Key text={each.key} />
                  {each.mounted !== undefined && <Readers count={each.mounted.readers} />}
                  <Freshness item={each} now={view.now} />
                </>
              )}
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
      detail={item && <ResultDetail key={item.key} item={item} inspected={inspected} view={view} />}
    />
  );
}
