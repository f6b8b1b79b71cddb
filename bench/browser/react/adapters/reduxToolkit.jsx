import { configureStore, createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit';
import { useMemo } from 'react';
import { Provider, useSelector } from 'react-redux';

const issuesOf = createEntityAdapter();
const usersOf = createEntityAdapter();

const issues = createSlice({
  name: 'issues',
  initialState: issuesOf.getInitialState(),
  reducers: {
    received: issuesOf.setAll,
    changed: issuesOf.updateOne,
    added: issuesOf.addOne,
    removed: issuesOf.removeOne,
  },
});
const users = createSlice({
  name: 'users',
  initialState: usersOf.getInitialState(),
  reducers: { received: usersOf.upsertMany, changed: usersOf.updateOne },
});
const { selectById, selectAll, selectIds } = issuesOf.getSelectors((state) => state.issues);

const takenApart = ({ author, ...issue }) => issue;
const join = (issue, all) => ({ ...issue, author: all[issue.authorId] });
const selectJoined = createSelector([selectAll, (state) => state.users.entities], (list, all) =>
  list.map((issue) => join(issue, all)),
);

/** Its store holds rows by table; joining them is the work of the app's own selectors. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Redux Toolkit',
  create(list) {
    const store = configureStore({
      reducer: { issues: issues.reducer, users: users.reducer },
      middleware: () => [],
      devTools: false,
    });
    store.dispatch(users.actions.received(list.map(({ author }) => author)));
    store.dispatch(issues.actions.received(list.map(takenApart)));
    // A denormalized list has new members; this keeps the rows that did not change.
    const joined = new WeakMap();
    const keepRows = (rows) =>
      rows.map((row) => {
        const { author, ...issue } = row;
        const stored = selectById(store.getState(), issue.id);
        const last = joined.get(stored);
        if (last?.author === author) return last;
        joined.set(stored, row);
        return row;
      });
    return {
      Provider: ({ children }) => <Provider store={store}>{children}</Provider>,
      useIds: () => useSelector(selectIds),
      useIssue(id) {
        const issue = useSelector((state) => selectById(state, id));
        const author = useSelector((state) => state.users.entities[issue.authorId]);
        return useMemo(() => ({ ...issue, author }), [issue, author]);
      },
      useIssues: () => keepRows(useSelector(selectJoined)),
      change: (id, changes) => store.dispatch(issues.actions.changed({ id, changes })),
      changeAuthor: ({ id, ...changes }) => store.dispatch(users.actions.changed({ id, changes })),
      push: (issue) => store.dispatch(issues.actions.added(takenApart(issue))),
      remove: (id) => store.dispatch(issues.actions.removed(id)),
    };
  },
};
