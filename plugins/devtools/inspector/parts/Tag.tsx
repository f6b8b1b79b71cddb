import type { ReactNode } from 'react';

/** What a tag's colour means. */
export type Tone = 'fresh' | 'stale' | 'invalid' | 'error' | 'loading' | 'quiet';

/**
 * A word in a colour of its own.
 *
 * @param share - how much of it has that colour as its ground, 0 to 1
 */
export function Tag({ tone, share = 1, children }: { tone: Tone; share?: number; children: ReactNode }) {
  return (
    <span className={`tag ${tone}`} style={{ backgroundSize: `${Math.round(100 * share)}% 100%` }}>
      {children}
    </span>
  );
}
