import { useEffect } from 'react';
import { useStored } from './stored.ts';

export type Theme = 'system' | 'light' | 'dark';

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

/** The chosen theme and a function that goes to the next one. index.html applies it before the first paint. */
export function useTheme(): [Theme, () => void] {
  const [stored, store] = useStored('theme', 'system');
  const theme: Theme = stored === 'light' || stored === 'dark' ? stored : 'system';
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [
    theme,
    () => {
      const following = next[theme];
      store(following === 'system' ? null : following);
    },
  ];
}
