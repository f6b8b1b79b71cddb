import { notifyManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';

/** It stores responses as they are: rows are queries of their own, and the app writes every copy itself. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TanStack Query, every copy written by hand',
  create(issues) {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
    const fetchNothing = async () => undefined;
    const rowKey = (id) => ['issues', id];
    const listKey = ['issues'];
    const idsKey = ['ids'];
    for (const issue of issues) client.setQueryData(rowKey(issue.id), issue);
    client.setQueryData(listKey, issues);
    client.setQueryData(
      idsKey,
      issues.map(({ id }) => id),
    );
    const useData = (queryKey) => useQuery({ queryKey, queryFn: fetchNothing }).data;
    const merge = (id, fields) => {
      client.setQueryData(rowKey(id), (issue) => ({ ...issue, ...fields }));
    };
    const setList = (update) => client.setQueryData(listKey, update);
    const listHash = JSON.stringify(listKey);
    const isListShown = () => client.getQueryCache().get(listHash)?.isActive() === true;
    const change = (id, fields) => {
      merge(id, fields);
      // A page that does not show the list itself has no need to keep it in sync.
      if (isListShown())
        setList((list) => list.map((issue) => (issue.id === id ? { ...issue, ...fields } : issue)));
    };
    return {
      Provider: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
      useIds: () => useData(idsKey),
      useIssue: (id) => useData(rowKey(id)),
      useIssues: () => useData(listKey),
      change,
      changeAuthor(author, ids) {
        // One notification of all.
        notifyManager.batch(() => {
          for (const id of ids) merge(id, { author });
        });
        if (isListShown())
          setList((list) =>
            list.map((issue) => (issue.author.id === author.id ? { ...issue, author } : issue)),
          );
      },
      push(issue) {
        client.setQueryData(rowKey(issue.id), issue);
        client.setQueryData(idsKey, (ids) => [...ids, issue.id]);
        if (isListShown()) setList((list) => [...list, issue]);
      },
      remove(id) {
        client.setQueryData(idsKey, (ids) => ids.filter((other) => other !== id));
        if (isListShown()) setList((list) => list.filter((issue) => issue.id !== id));
      },
    };
  },
};
