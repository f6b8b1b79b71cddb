import { useEffect, useLayoutEffect } from 'react';

/** `useLayoutEffect` in browsers. A server runs no layout effects, and React 18 warns about them there. */
export const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
