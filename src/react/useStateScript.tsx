import { useState, type ReactElement } from 'react';
import { StateChunks } from '../ssr/StateChunks.ts';
import { ATTRIBUTE } from '../ssr/stateScript.ts';
import { useController } from './useController.ts';

/**
 * For frameworks that stream the page themselves: returns a function that renders the data fetched since the last
 * call as an element for the page, or undefined if there is none. Call it before each part of the page is sent.
 * `streamedStateSync` reads these elements in the browser.
 *
 * Use it in a component above those that read.
 *
 * @example
 * // The framework calls these before each part. Next.js: useServerInsertedHTML.
 * const insertions: (() => unknown)[] = [];
 *
 * function StreamState({ children }: { children: string }) {
 *   insertions.push(useStateScript());
 *   return children;
 * }
 */
export function useStateScript(): () => ReactElement | undefined {
  const controller = useController();
  const [render] = useState(() => {
    if (typeof document !== 'undefined') return () => undefined;
    const chunks = new StateChunks(controller);
    return () => {
      const text = chunks.text();
      if (text === undefined) return undefined;
      return (
        <script
          type="application/json"
          {...{ [ATTRIBUTE]: '' }}
          // Nothing in this text can end the element: see `serialize`.
          dangerouslySetInnerHTML={{ __html: text }}
        />
      );
    };
  });
  return render;
}
