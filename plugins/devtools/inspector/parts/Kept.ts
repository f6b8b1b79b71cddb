import { createContext, useContext } from 'react';

/** What tabs keep while another one is shown, and over a reload: texts by name. */
export interface Kept {
  readonly values: Readonly<Record<string, string>>;
  readonly keep: (name: string, value: string) => void;
}

export const KeptContext = createContext<Kept>({ values: {}, keep: () => undefined });

/** State of a tab that is there again when the tab is. */
export function useKept(name: string, initial = ''): readonly [value: string, keep: (value: string) => void] {
  const { values, keep } = useContext(KeptContext);
  return [values[name] ?? initial, (value) => keep(name, value)];
}
