import { Person } from '../model/Person.ts';

/** Who can sign in on this device. A real app would have the user's id from its login. */
export const accounts: readonly Person[] = [
  { id: 'mira-lindqvist', name: 'Mira Lindqvist', role: 'Engineering manager', team: 'Platform', hue: 0 },
  { id: 'priya-raghavan', name: 'Priya Raghavan', role: 'Product designer', team: 'Design', hue: 275 },
  { id: 'jonah-whitfield', name: 'Jonah Whitfield', role: 'Frontend engineer', team: 'Web', hue: 53 },
].map((account) => Person.fromJS(account));

export function accountOf(id: string): Person | undefined {
  return accounts.find((account) => account.id === id);
}
