import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';

/** Only what a change concerns is fetched again, from a server in the page that answers at once. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TanStack Query, refetching, no network',
  create(issues) {
    const server = new Map(issues.map((issue) => [issue.id, issue]));
    // A response is made of new objects each time.
    const copyOf = ({ author, ...issue }) => ({ ...issue, author: { ...author } });
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
    const row = (id) => ({ queryKey: ['issue', id], queryFn: async () => copyOf(server.get(id)) });
    const list = { queryKey: ['issues'], queryFn: async () => [...server.values()].map(copyOf) };
    const ids = { queryKey: ['ids'], queryFn: async () => [...server.keys()] };
    for (const issue of issues) client.setQueryData(row(issue.id).queryKey, issue);
    client.setQueryData(list.queryKey, issues);
    client.setQueryData(ids.queryKey, [...server.keys()]);
    // Queries that nothing shows are marked, and fetched when something does.
    const refetch = ({ queryKey }) => client.invalidateQueries({ queryKey, exact: true });
    const change = (id, fields) => {
      server.set(id, { ...server.get(id), ...fields });
      void refetch(row(id));
    };
    return {
      Provider: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
      useIds: () => useQuery(ids).data,
      useIssue: (id) => useQuery(row(id)).data,
      useIssues: () => useQuery(list).data,
      change(id, fields) {
        change(id, fields);
        void refetch(list);
      },
      changeAuthor(author, shownIn) {
        for (const id of shownIn) change(id, { author });
        void refetch(list);
      },
      push(issue) {
        server.set(issue.id, issue);
        // The answer to the request that created it.
        client.setQueryData(row(issue.id).queryKey, copyOf(issue));
        void refetch(ids);
        void refetch(list);
      },
      remove(id) {
        server.delete(id);
        void refetch(ids);
        void refetch(list);
      },
    };
  },
};
