import type { Controller } from 'holdfast';
import type { InspectorOptions } from './InspectorOptions.ts';

/**
 * Puts the inspector onto the page, in any build: `<Inspector />` does so in development only. Its code, which needs
 * React and React DOM, is loaded when this is called.
 *
 * @returns takes it away again
 * @example
 * if (location.search.includes('devtools')) void mountInspector(controller);
 */
export async function mountInspector(
  controller: Controller,
  options: InspectorOptions = {},
): Promise<() => void> {
  const { renderInspector } = await import('./inspector/renderInspector.tsx');
  return renderInspector(controller, options);
}
