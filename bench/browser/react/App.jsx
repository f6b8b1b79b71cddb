import { memo, Suspense, useContext } from 'react';
import { rowIndex } from '../../data.mjs';
import { renders } from './renders.mjs';
import { StoreContext } from './StoreContext.mjs';
import { Window } from './Window.jsx';

const A_SECTION = 100;
// What is not in sight costs no layout, or that would be all there is to see.
const style = { contentVisibility: 'auto', containIntrinsicSize: 'auto 2000px' };

function Row({ issue }) {
  renders.row += 1;
  return (
    <li>
      <b>{issue.title}</b> {issue.comments} <i>{issue.author.name}</i>
    </li>
  );
}

const ReadingRow = memo(function ReadingRow({ id }) {
  const { useIssue } = useContext(StoreContext);
  return <Row issue={useIssue(id)} />;
});

const GivenRow = memo(Row);

/**
 * The rows, a hundred to an element: at each change of a row React walks all that lie beside it, and the browser all
 * that it may leave out.
 *
 * @param {readonly import('react').ReactElement[]} rows - with ids as keys
 */
function sectionsOf(rows) {
  const sections = new Map();
  for (const row of rows) {
    const number = Math.floor(rowIndex(row.key) / A_SECTION);
    const section = sections.get(number);
    if (section === undefined) sections.set(number, [row]);
    else section.push(row);
  }
  return [...sections].map(([number, members]) => (
    <ul key={number} style={style}>
      {members}
    </ul>
  ));
}

/** Reads ids; each row reads itself. */
function ListOfIds() {
  const { useIds } = useContext(StoreContext);
  renders.list += 1;
  return sectionsOf(useIds().map((id) => <ReadingRow key={id} id={id} />));
}

/** Reads the list once, for rows that are given what they show. */
function ListOfIssues() {
  const { useIssues } = useContext(StoreContext);
  renders.list += 1;
  return sectionsOf(useIssues().map((issue) => <GivenRow key={issue.id} issue={issue} />));
}

/** Rows that read themselves, of ids from elsewhere. */
function SomeRows({ ids }) {
  return sectionsOf(ids.map((id) => <ReadingRow key={id} id={id} />));
}

const lists = { ids: ListOfIds, issues: ListOfIssues, some: SomeRows, window: Window };

/**
 * The page.
 *
 * @param {{ store: import('./Adapter.mjs').Store, list?: keyof typeof lists, ids?: string[] }} props - nothing is
 *   shown without `list`
 */
export function App({ store, list, ids }) {
  const List = lists[list];
  return (
    <StoreContext value={store}>
      <store.Provider>
        <Suspense fallback="waiting">{List !== undefined && <List ids={ids} />}</Suspense>
      </store.Provider>
    </StoreContext>
  );
}
