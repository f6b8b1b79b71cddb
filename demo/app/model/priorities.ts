export type Priority = 'urgent' | 'high' | 'medium' | 'low' | 'none';

export const priorities: readonly { id: Priority; name: string }[] = [
  { id: 'urgent', name: 'Urgent' },
  { id: 'high', name: 'High' },
  { id: 'medium', name: 'Medium' },
  { id: 'low', name: 'Low' },
  { id: 'none', name: 'No priority' },
];

export function priorityName(priority: Priority): string {
  return priorities.find(({ id }) => id === priority)?.name ?? priority;
}
