import type { ReactNode } from 'react';

/** The meaning of a tag's color. */
export type Tone = 'fresh' | 'stale' | 'invalid' | 'error' | 'loading' | 'quiet';

/**
 * Colored text.
 *
 * @param share - the part of its background that has the color, 0 to 1
 */
export function Tag({ tone, share = 1, children }: { tone: Tone; share?: number; children: ReactNode }) {
  return (
    <span className={`tag ${tone}`} style={{ backgroundSize: `${Math.round(100 * share)}% 100%` }}>
      {children}
    </span>
  );
}
