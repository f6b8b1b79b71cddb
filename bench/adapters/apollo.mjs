import { gql, InMemoryCache } from '@apollo/client';

const rowFields = gql`
  fragment RowFields on Row {
    id
    title
    body
    state
    priority
    comments
    authorId
    repoId
    createdAt
    updatedAt
    isLocked
    score
  }
`;
const changedFields = gql`
  fragment ChangedFields on Issue {
    title
    comments
    updatedAt
  }
`;
const changedUserFields = gql`
  fragment ChangedUserFields on User {
    name
  }
`;
const changedRowFields = gql`
  fragment ChangedRowFields on Row {
    title
    comments
    updatedAt
  }
`;
const issuesQuery = gql`
  query Issues {
    issues(state: "all") {
      id
      number
      title
      body
      state
      comments
      createdAt
      updatedAt
      author {
        id
        login
        name
        avatarUrl
      }
      labels {
        id
        name
        color
      }
      repo {
        id
        name
        owner
        stars
      }
    }
  }
`;
const rowsQuery = gql`
  query Rows {
    rows {
      ...RowFields
    }
  }
  ${rowFields}
`;
const rowQuery = gql`
  query Row($id: ID!) {
    row(id: $id) {
      ...RowFields
    }
  }
  ${rowFields}
`;

const typed = (typename, record) => ({ __typename: typename, ...record });
const issue = (nested) =>
  typed('Issue', {
    ...nested,
    author: typed('User', nested.author),
    labels: nested.labels.map((label) => typed('Label', label)),
    repo: typed('Repo', nested.repo),
  });
const rowOf = (id) => ({ __typename: 'Row', id });

/** It is written with what a GraphQL server would have sent: with type names, by a query that names each field. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Apollo cache',
  create() {
    const cache = new InMemoryCache({
      // A row that any query brought is found by its id.
      typePolicies: {
        Query: {
          fields: {
            row: { read: (existing, { args, toReference }) => existing ?? toReference(rowOf(args.id)) },
          },
        },
      },
    });
    return {
      storeIssues: (issues) =>
        void cache.writeQuery({ query: issuesQuery, data: { issues: issues.map(issue) } }),
      readIssues: () => cache.readQuery({ query: issuesQuery }).issues,
      changeIssue: (id, change) =>
        void cache.writeFragment({
          id: `Issue:${id}`,
          fragment: changedFields,
          data: typed('Issue', change),
        }),
      changeAuthor: (id, change) =>
        void cache.writeFragment({
          id: `User:${id}`,
          fragment: changedUserFields,
          data: typed('User', change),
        }),
      storeRows: (rows) =>
        void cache.writeQuery({ query: rowsQuery, data: { rows: rows.map((row) => typed('Row', row)) } }),
      readRows: () => cache.readQuery({ query: rowsQuery }).rows,
      readRow: (id) => cache.readQuery({ query: rowQuery, variables: { id } })?.row,
      changeRow: (id, change) =>
        void cache.writeFragment({
          id: `Row:${id}`,
          fragment: changedRowFields,
          data: typed('Row', change),
        }),
      pushRow(row) {
        const added = cache.writeFragment({ fragment: rowFields, data: typed('Row', row) });
        cache.modify({ fields: { rows: (rows) => [...rows, added] } });
      },
      storeRowResults(rows) {
        // As a state that comes with the page: each write of its own would copy all results before it.
        const results = { __typename: 'Query' };
        const state = { ROOT_QUERY: results };
        for (const row of rows) {
          const ref = `Row:${row.id}`;
          state[ref] = typed('Row', row);
          results[`row({"id":"${row.id}"})`] = { __ref: ref };
        }
        cache.restore(state);
      },
      // The row, since it is found by its id without the result too.
      invalidateRowResult: (id) => void cache.evict({ id: `Row:${id}` }),
      isRowResultShown: (id) => cache.readQuery({ query: rowQuery, variables: { id } }) !== null,
      watchRow(id, listener) {
        let isFirst = true;
        const callback = ({ result }) => {
          if (!isFirst) listener(result.row);
          isFirst = false;
        };
        cache.watch({ query: rowQuery, variables: { id }, optimistic: true, immediate: true, callback });
      },
    };
  },
};
