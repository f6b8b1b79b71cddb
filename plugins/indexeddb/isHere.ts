import type { State } from 'holdfast';

/** Whether memory holds a row. */
export function isHere(state: State | undefined, table: string, pk: string): boolean {
  return state?.tables[table]?.has(pk) === true;
}
