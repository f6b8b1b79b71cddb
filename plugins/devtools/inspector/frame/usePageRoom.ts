import { useEffect } from 'react';
import type { Side } from './session.ts';

/** Lets the page scroll on by as much as the panel covers of it. */
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
