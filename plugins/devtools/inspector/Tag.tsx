import type { ReactNode } from 'react';

/** What a tag's colour means. */
export type Tone = 'fresh' | 'stale' | 'invalid' | 'error' | 'loading' | 'quiet';

/** A word in a colour of its own. */
export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`tag ${tone}`}>{children}</span>;
}
