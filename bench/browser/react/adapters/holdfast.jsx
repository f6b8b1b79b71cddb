import { useQuery } from 'holdfast/react';
import { Issue, makeStore } from '../holdfastStore.jsx';

/** Rows read what is in memory. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Holdfast, `useQuery`',
  create: (issues) => makeStore(issues, (id) => useQuery(Issue, { id })),
};
