import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { ApolloProvider, useFragment, useQuery } from '@apollo/client/react';
import { cacheSizes } from '@apollo/client/utilities';
import { useMemo } from 'react';

// As its documentation advises where more is on screen than it remembers by default.
Object.assign(cacheSizes, {
  'inMemoryCache.executeSelectionSet': 100_000,
  'inMemoryCache.executeSubSelectedArray': 100_000,
  'inMemoryCache.maybeBroadcastWatch': 100_000,
});

const issueFields = gql`
  fragment IssueFields on Issue {
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
    author {
      id
      name
    }
  }
`;
const issuesQuery = gql`
  query Issues {
    issues {
      ...IssueFields
    }
  }
  ${issueFields}
`;
const idsQuery = gql`
  query Ids {
    issues {
      id
    }
  }
`;

const typed = ({ author, ...issue }) => ({
  __typename: 'Issue',
  ...issue,
  author: { __typename: 'User', ...author },
});

/**
 * Rows read by `useFragment`, and changes are made to the fields themselves: of what its documentation offers, the
 * quickest.
 */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Apollo, best tuned',
  create(issues) {
    const cache = new InMemoryCache();
    const client = new ApolloClient({ cache, link: ApolloLink.empty() });
    cache.writeQuery({ query: issuesQuery, data: { issues: issues.map(typed) } });
    const read = (query) => useQuery(query, { fetchPolicy: 'cache-only' }).data.issues;
    const refOf = (id) => `Issue:${id}`;
    const modify = (id, values) => {
      const fields = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value]));
      cache.modify({ id, fields });
    };
    return {
      Provider: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
      useIds() {
        const members = read(idsQuery);
        return useMemo(() => members.map(({ id }) => id), [members]);
      },
      useIssue: (id) => useFragment({ fragment: issueFields, from: refOf(id) }).data,
      useIssues: () => read(issuesQuery),
      change: (id, change) => modify(refOf(id), change),
      changeAuthor: ({ id, name }) => modify(`User:${id}`, { name }),
      push(issue) {
        cache.batch({
          update() {
            const added = cache.writeFragment({
              fragment: issueFields,
              fragmentName: 'IssueFields',
              data: typed(issue),
            });
            cache.modify({ fields: { issues: (members) => [...members, added] } });
          },
        });
      },
      remove(id) {
        const removed = refOf(id);
        cache.modify({
          fields: { issues: (members) => members.filter((member) => member.__ref !== removed) },
        });
      },
    };
  },
};
