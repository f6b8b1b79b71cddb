export type Status = 'triage' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'canceled';

/** In the order in which work moves through them. */
export const statuses: readonly { id: Status; name: string }[] = [
  { id: 'triage', name: 'Triage' },
  { id: 'todo', name: 'To do' },
  { id: 'in_progress', name: 'In progress' },
  { id: 'in_review', name: 'In review' },
  { id: 'done', name: 'Done' },
  { id: 'canceled', name: 'Canceled' },
];

export function statusName(status: Status): string {
  return statuses.find(({ id }) => id === status)?.name ?? status;
}

/** Names for several statuses at once, as the server has them. */
export const statusGroups: Readonly<Record<string, readonly Status[]>> = {
  open: ['triage', 'todo', 'in_progress', 'in_review'],
  active: ['in_progress', 'in_review'],
  closed: ['done', 'canceled'],
};
