import { notifyManager, QueryClient, QueryObserver } from '@tanstack/query-core';

// Observers are notified at once, as in the other libraries, instead of in a later task.
notifyManager.setScheduler((run) => run());

/** It stores responses as they are: rows are queries of their own, and denormalized lists are copies. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TanStack Query (not normalized)',
  create() {
    // No timers for unused queries: they would keep the process alive.
    const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: 60_000 } } });
    const issuesKey = ['issues', { state: 'all' }];
    const listKey = ['rows'];
    const storeEach = (rows) => {
      for (const row of rows) client.setQueryData(['rows', row.id], row);
    };
    return {
      storeIssues: (issues) => void client.setQueryData(issuesKey, issues),
      readIssues: () => client.getQueryData(issuesKey),
      changeIssue: (id, change) =>
        void client.setQueryData(issuesKey, (issues) =>
          issues.map((issue) => (issue.id === id ? { ...issue, ...change } : issue)),
        ),
      changeAuthor: (id, change) =>
        void client.setQueryData(issuesKey, (issues) =>
          issues.map((issue) =>
            issue.author.id === id ? { ...issue, author: { ...issue.author, ...change } } : issue,
          ),
        ),
      storeRows(rows) {
        storeEach(rows);
        client.setQueryData(listKey, rows);
      },
      readRow: (id) => client.getQueryData(['rows', id]),
      changeRow: (id, change) => void client.setQueryData(['rows', id], (row) => ({ ...row, ...change })),
      pushRow(row) {
        client.setQueryData(['rows', row.id], row);
        client.setQueryData(listKey, (rows) => [...rows, row]);
      },
      storeRowResults: storeEach,
      invalidateRowResult: (id) => void client.invalidateQueries({ queryKey: ['rows', id], exact: true }),
      isRowResultShown: (id) => client.getQueryState(['rows', id])?.isInvalidated === false,
      expireAll: () => void client.invalidateQueries({ refetchType: 'none' }),
      watchRow(id, listener) {
        const observer = new QueryObserver(client, { queryKey: ['rows', id], enabled: false });
        observer.subscribe(({ data }) => listener(data));
      },
    };
  },
};
