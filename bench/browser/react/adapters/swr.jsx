import useSWR, { SWRConfig, useSWRConfig } from 'swr';

const noFetch = { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false };

/** As with TanStack Query, the app writes every copy itself. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'SWR, every copy written by hand',
  create(issues) {
    const cache = new Map(issues.map((issue) => [issue.id, { data: issue }]));
    cache.set('list', { data: issues }).set('ids', { data: issues.map(({ id }) => id) });
    const config = { ...noFetch, provider: () => cache };
    let mutate;
    const Seen = ({ children }) => {
      ({ mutate } = useSWRConfig());
      return children;
    };
    const useData = (key) => useSWR(key, null).data;
    let isListShown = false;
    const put = (key, update) => void mutate(key, update, { revalidate: false });
    const merge = (id, fields) => put(id, (issue) => ({ ...issue, ...fields }));
    return {
      Provider: ({ children }) => (
        <SWRConfig value={config}>
          <Seen>{children}</Seen>
        </SWRConfig>
      ),
      useIds: () => useData('ids'),
      useIssue: (id) => useData(id),
      useIssues() {
        isListShown = true;
        return useData('list');
      },
      change(id, fields) {
        merge(id, fields);
        if (isListShown)
          put('list', (list) => list.map((issue) => (issue.id === id ? { ...issue, ...fields } : issue)));
      },
      changeAuthor(author, ids) {
        for (const id of ids) merge(id, { author });
        if (isListShown)
          put('list', (list) =>
            list.map((issue) => (issue.author.id === author.id ? { ...issue, author } : issue)),
          );
      },
      push(issue) {
        put(issue.id, issue);
        put('ids', (ids) => [...ids, issue.id]);
        if (isListShown) put('list', (list) => [...list, issue]);
      },
      remove(id) {
        put('ids', (ids) => ids.filter((other) => other !== id));
        if (isListShown) put('list', (list) => list.filter((issue) => issue.id !== id));
      },
    };
  },
};
