import type { Controller, Plugin } from 'holdfast';

/** Shows what the app stores, fetches and queues: a plugin that records it, and a panel that shows it. */
export interface Inside {
  readonly plugin: Plugin;
  show(controller: Controller): void;
}

const name = 'devtools';

/** Whether the developer's panel is wanted: while developing, or where the address has said `?devtools` in this tab. */
export const isLookedInside = import.meta.env.DEV || isAskedFor();

/** Loaded only then: others get none of its code. */
export async function lookInside(): Promise<Inside | undefined> {
  if (!isLookedInside) return undefined;
  const { devtoolsInProduction, renderInspector } = await import('holdfast/devtools');
  return {
    plugin: devtoolsInProduction({ name: 'Mooring' }),
    show: (controller) =>
      void renderInspector(controller, { position: 'bottom-left', defaultOpen: !import.meta.env.DEV }),
  };
}

function isAskedFor(): boolean {
  try {
    // Other screens have other addresses, so the tab remembers it.
    if (new URLSearchParams(location.search).has(name)) sessionStorage.setItem(`mooring.${name}`, 'on');
    return sessionStorage.getItem(`mooring.${name}`) !== null;
  } catch {
    return false;
  }
}
