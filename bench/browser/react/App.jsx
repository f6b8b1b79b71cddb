import { createContext, memo, Suspense, useContext } from 'react';

/** Gives the components the store of the library that is measured. */
const StoreContext = createContext(undefined);

/** How often components have rendered. */
export const renders = { list: 0, row: 0 };

// Rows that are not in sight cost no layout, or that would be all there is to see.
const style = { contentVisibility: 'auto', containIntrinsicSize: 'auto 20px' };

function Row({ issue }) {
  renders.row += 1;
  return (
    <li style={style}>
      <b>{issue.title}</b> {issue.comments} <i>{issue.author.name}</i>
    </li>
  );
}

const ReadingRow = memo(function ReadingRow({ id }) {
  const { useIssue } = useContext(StoreContext);
  return <Row issue={useIssue(id)} />;
});

const GivenRow = memo(Row);

/** Reads ids; each row reads itself. */
function ListOfIds() {
  const { useIds } = useContext(StoreContext);
  renders.list += 1;
  return useIds().map((id) => <ReadingRow key={id} id={id} />);
}

/** Reads the list once, for rows that are given what they show. */
function ListOfIssues() {
  const { useIssues } = useContext(StoreContext);
  renders.list += 1;
  return useIssues().map((issue) => <GivenRow key={issue.id} issue={issue} />);
}

/** Rows that read themselves, of ids from elsewhere. */
function SomeRows({ ids }) {
  return ids.map((id) => <ReadingRow key={id} id={id} />);
}

const lists = { ids: ListOfIds, issues: ListOfIssues, some: SomeRows };

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
        <Suspense fallback="waiting">
          <ul>{List !== undefined && <List ids={ids} />}</ul>
        </Suspense>
      </store.Provider>
    </StoreContext>
  );
}
