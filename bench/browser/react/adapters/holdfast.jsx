import { Select } from 'holdfast';
import { useQuery } from 'holdfast/react';
import { WINDOW } from '../../../data.mjs';
import { Issue, makeStore } from '../holdfastStore.jsx';

const rowWindow = new Select(Issue, {
  where: ({ state, repoId }) => ({ state, repoId }),
  orderBy: { score: 'desc' },
  limit: WINDOW.limit,
});

/** Rows read what is in memory. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Holdfast, `useQuery`',
  create: (issues) => ({
    ...makeStore(issues, (id) => useQuery(Issue, { id })),
    useWindow: () => useQuery(rowWindow, { state: WINDOW.state, repoId: WINDOW.repoId }),
  }),
};
