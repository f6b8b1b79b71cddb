import { useEffect } from 'react';
import type { Side } from './session.ts';

/** Extends the scrollable area of the page by the part that the panel covers. */
export function usePageRoom(side: Side, size: number): void {
  useEffect(() => {
    const { style } = document.body;
    const padding = side === 'bottom' ? 'paddingBottom' : 'paddingRight';
    const former = style[padding];
    style[padding] = `${size}px`;
    return () => {
      style[padding] = former;
    };
  }, [side, size]);
}
