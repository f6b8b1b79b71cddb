import { useEffect } from 'react';
import { useController } from 'holdfast/react';
import type { InspectorOptions } from './InspectorOptions.ts';

/**
 * A button in a corner of the page that opens the inspector: results and their freshness, rows, requests, commits,
 * the outbox and the data on disk. Renders nothing into the app. Its code is loaded on mount, and a production build
 * contains none of it.
 *
 * @example
 * <DataProvider controller={controller}>
 *   <App />
 *   <Inspector position="bottom-left" />
 * </DataProvider>
 */
export const Inspector: (options: InspectorOptions) => null =
  process.env.NODE_ENV !== 'production' ? MountedInspector : NoInspector;

function MountedInspector({ position, shortcut, defaultOpen }: InspectorOptions): null {
  const controller = useController();
  useEffect(() => {
    // Repeated here: bundlers create a chunk for each import that they see, used or not.
    if (process.env.NODE_ENV !== 'production') {
      const options = {
        ...(position === undefined ? {} : { position }),
        ...(shortcut === undefined ? {} : { shortcut }),
        ...(defaultOpen === undefined ? {} : { defaultOpen }),
      };
      let isWanted = true;
      let remove = (): void => undefined;
      void import('./inspector/renderInspector.tsx').then(({ renderInspector }) => {
        if (isWanted) remove = renderInspector(controller, options);
      });
      return () => {
        isWanted = false;
        remove();
      };
    }
    return undefined;
  }, [controller, position, shortcut, defaultOpen]);
  return null;
}

function NoInspector(): null {
  return null;
}
