import { createContext, useContext } from 'react';

/** State that tabs keep while another one is shown, and across reloads: texts by name. */
export interface TabState {
  readonly values: Readonly<Record<string, string>>;
  readonly keep: (name: string, value: string) => void;
}

export const TabStateContext = createContext<TabState>({ values: {}, keep: () => undefined });

/** Like `useState`, with the value kept while the tab is not rendered. */
export function useTabState(
  name: string,
  initial = '',
): readonly [value: string, keep: (value: string) => void] {
  const { values, keep } = useContext(TabStateContext);
  return [values[name] ?? initial, (value) => keep(name, value)];
}

/** The option that equals `value`, or else the first. */
export function oneOf<Word extends string>(words: readonly [Word, ...Word[]], value: unknown): Word {
  return words.find((word) => word === value) ?? words[0];
}
