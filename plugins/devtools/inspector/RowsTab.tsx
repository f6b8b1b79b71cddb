import { useDeferredValue, useMemo, useState } from 'react';
import type { StoredRow } from 'holdfast';
import { Data } from './Data.tsx';
import { ago, clockTime, counted } from './format.ts';
import { expiryText } from './Freshness.tsx';
import { findRows, titleOf } from './rowItems.ts';
import { Search } from './Search.tsx';
import { Item, Items, More, Split } from './Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag } from './Tag.tsx';

const PAGE = 100;

/** Rows by table. */
export function RowsTab({ view }: TabProps) {
  const { tables } = view.state;
  const names = useMemo(() => Object.keys(tables).sort(), [tables]);
  const [picked, setPicked] = useState<string>();
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const [chosen, setChosen] = useState<string>();
  const name = picked !== undefined && picked in tables ? picked : names[0];
  const table = name === undefined ? undefined : tables[name];
  const wanted = useDeferredValue(text);
  // One more than is shown tells whether there are more.
  const found = useMemo(
    () => (table === undefined ? [] : findRows(table, wanted, limit + 1)),
    [table, wanted, limit],
  );
  const row = chosen === undefined ? undefined : table?.get(chosen);

  if (name === undefined || table === undefined) return <p className="placeholder">Nothing is stored yet.</p>;
  return (
    <Split
      placeholder="Choose a row to see its fields."
      onBack={() => setChosen(undefined)}
      toolbar={
        <>
          <label className="select">
            <span className="hidden">Table</span>
            <select
              value={name}
              onChange={({ target }) => {
                setPicked(target.value);
                setChosen(undefined);
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
          <p className="placeholder">No row has this in it.</p>
        ) : (
          <>
            <Items label={`Rows of ${name}`}>
              {found.slice(0, limit).map(({ pk, row: { value }, row: each }) => (
                <Item key={pk} isChosen={pk === chosen} onChoose={() => setChosen(pk)}>
                  <code className="key">{pk}</code>
                  <span className="title">{value === undefined ? '' : titleOf(each)}</span>
                  {value === undefined && <Tag tone="invalid">deleted</Tag>}
                </Item>
              ))}
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
      detail={row && chosen !== undefined && <RowDetail table={name} pk={chosen} row={row} now={view.now} />}
    />
  );
}

function RowDetail({ table, pk, row, now }: { table: string; pk: string; row: StoredRow; now: number }) {
  return (
    <article className="about">
      <h2>
        {table} <code className="key">{pk}</code>
      </h2>
      <dl className="facts">
        <div>
          <dt>Freshness</dt>
          <dd>{expiryText({ value: undefined, meta: row.meta }, now)}</dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>
            {clockTime(row.meta.receivedAt)}, {ago(row.meta.receivedAt, now)}
          </dd>
        </div>
      </dl>
      <section>
        <h3>Fields, pks in place of entities</h3>
        {row.value === undefined ? <p>It has been deleted.</p> : <Data value={row.value} />}
      </section>
    </article>
  );
}
