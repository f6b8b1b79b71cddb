import { useSuspense } from 'holdfast/react';
import { getIssue, makeStore } from '../holdfastStore.jsx';

/** Rows read an endpoint: they would fetch what is not there. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Holdfast, `useSuspense`',
  create: (issues) => makeStore(issues, (id) => useSuspense(getIssue, { id })),
};
