import { configureStore, createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit';
import { normalize, schema } from 'normalizr';

const User = new schema.Entity('users');
const Label = new schema.Entity('labels');
const Repo = new schema.Entity('repos');
const Issue = new schema.Entity('issues', { author: User, labels: [Label], repo: Repo });

const issues = createEntityAdapter();
const rows = createEntityAdapter();

// As its usage guide has it: normalizr takes the response apart, each slice takes what is its own.
const received =
  (slice, table) =>
  (state, { payload }) =>
    slice.upsertMany(state, payload[table] ?? {});
const table = (name) => {
  const slice = createEntityAdapter();
  return createSlice({
    name,
    initialState: slice.getInitialState(),
    reducers: { changed: slice.updateOne },
    extraReducers: (builder) => builder.addCase('received', received(slice, name)),
  });
};
const userSlice = table('users');
const issueSlice = createSlice({
  name: 'issues',
  initialState: issues.getInitialState(),
  reducers: { changed: issues.updateOne },
  extraReducers: (builder) => builder.addCase('received', received(issues, 'issues')),
});
const rowSlice = createSlice({
  name: 'rows',
  initialState: rows.getInitialState(),
  reducers: { received: rows.setAll, changed: rows.updateOne, added: rows.addOne, removed: rows.removeOne },
});
const reducer = {
  issues: issueSlice.reducer,
  users: userSlice.reducer,
  labels: table('labels').reducer,
  repos: table('repos').reducer,
  rows: rowSlice.reducer,
};

/** Its store holds rows by table; joining them is the work of the app's own selector. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Redux Toolkit',
  create() {
    // No middleware: its checks are for development.
    const store = configureStore({ reducer, middleware: () => [], devTools: false });
    const selectIssues = createSelector(
      [
        issues.getSelectors((state) => state.issues).selectAll,
        (state) => state.users.entities,
        (state) => state.labels.entities,
        (state) => state.repos.entities,
      ],
      (all, users, labels, repos) =>
        all.map((issue) => ({
          ...issue,
          author: users[issue.author],
          labels: issue.labels.map((id) => labels[id]),
          repo: repos[issue.repo],
        })),
    );
    const selectRows = rows.getSelectors((state) => state.rows);
    const readRow = (id) => selectRows.selectById(store.getState(), id);
    const { changed, added, removed } = rowSlice.actions;
    const storeRows = (list) => void store.dispatch(rowSlice.actions.received(list));
    return {
      storeIssues: (list) =>
        void store.dispatch({ type: 'received', payload: normalize(list, [Issue]).entities }),
      readIssues: () => selectIssues(store.getState()),
      changeIssue: (id, changes) => void store.dispatch(issueSlice.actions.changed({ id, changes })),
      changeAuthor: (id, changes) => void store.dispatch(userSlice.actions.changed({ id, changes })),
      storeRows,
      readRows: () => selectRows.selectAll(store.getState()),
      readRow,
      changeRow: (id, changes) => void store.dispatch(changed({ id, changes })),
      pushRow: (row) => void store.dispatch(added(row)),
      storeRowResults: storeRows,
      invalidateRowResult: (id) => void store.dispatch(removed(id)),
      isRowResultShown: (id) => readRow(id) !== undefined,
      watchRow(id, listener) {
        let shown = readRow(id);
        store.subscribe(() => {
          const row = readRow(id);
          if (row === shown) return;
          shown = row;
          listener(row);
        });
      },
    };
  },
};
