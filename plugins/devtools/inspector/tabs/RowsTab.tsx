import { useDeferredValue, useMemo, useState } from 'react';
import { counted } from '../parts/format.ts';
import { Items, More } from '../parts/Items.tsx';
import { useTabState } from '../parts/TabState.ts';
import { RowDetail } from './RowDetail.tsx';
import { findRows, titleOf } from './rowItems.ts';
import { Search } from '../parts/Search.tsx';
import { Split } from '../parts/Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag } from '../parts/Tag.tsx';

const PAGE = 100;

/** Rows by table. */
export function RowsTab({ inspected, view }: TabProps) {
  const { tables } = view.state;
  const names = useMemo(() => Object.keys(tables).sort(), [tables]);
  const [picked, setPicked] = useTabState('rows.table');
  const [text, setText] = useTabState('rows.text');
  const [chosen, setChosen] = useTabState('rows.chosen');
  const [limit, setLimit] = useState(PAGE);
  const name = picked in tables ? picked : names[0];
  const table = name === undefined ? undefined : tables[name];
  const wanted = useDeferredValue(text);
  // One more than shown, to find out whether there are more.
  const found = useMemo(
    () => (table === undefined ? [] : findRows(table, wanted, limit + 1)),
    [table, wanted, limit],
  );
  const row = table?.get(chosen);

  if (name === undefined || table === undefined) return <p className="placeholder">Nothing is stored yet.</p>;
  return (
    <Split
      placeholder="Choose a row to see its fields."
      onBack={() => setChosen('')}
      toolbar={
        <>
          <label className="select">
            <span className="hidden">Table</span>
            <select
              value={name}
              onChange={({ target }) => {
                setPicked(target.value);
                setChosen('');
                setLimit(PAGE);
              }}
            >
              {names.map((each) => (
                <option key={each} value={each}>
                  {each} ({tables[each]?.size.toLocaleString('en')})
                </option>
              ))}
            </select>
          </label>
          <Search label="Search rows" value={text} onChange={setText} />
        </>
      }
      list={
        found.length === 0 ? (
          <p className="placeholder">{text === '' ? 'No rows here.' : 'No row has this in it.'}</p>
        ) : (
          <>
            <Items
              label={`Rows of ${name}`}
              items={found.slice(0, limit)}
              keyOf={({ pk }) => pk}
              chosen={chosen}
              onChoose={setChosen}
            >
              {({ pk, row: each }) => (
                <>
                  <code className="key">{pk}</code>
                  <span className="title">{each.value === undefined ? '' : titleOf(each)}</span>
                  {view.past === undefined && inspected.plugin?.edits.has(name, pk) === true && (
                    <Tag tone="invalid">edited here</Tag>
                  )}
                  {each.value === undefined && <Tag tone="invalid">deleted</Tag>}
                </>
              )}
            </Items>
            {found.length > limit && (
              <More
                shown={limit}
                of={wanted === '' ? counted(table.size, 'row') : 'those that match'}
                onMore={() => setLimit(limit + 5 * PAGE)}
              />
            )}
          </>
        )
      }
      detail={
        row && <RowDetail key={chosen} table={name} pk={chosen} row={row} inspected={inspected} view={view} />
      }
    />
  );
}
