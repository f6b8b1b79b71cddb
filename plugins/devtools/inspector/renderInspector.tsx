import { createRoot } from 'react-dom/client';
import type { Controller } from 'holdfast';
import type { InspectorOptions } from '../InspectorOptions.ts';
import { Shell } from './frame/Shell.tsx';
import { styles } from './styles/styles.ts';

/**
 * Renders the inspector, in any build and without `<Inspector />`, which renders it in development only. It has its
 * own shadow tree and React root: styles of the page do not apply to it, nor the reverse.
 *
 * @returns a function that removes it
 * @example
 * if (location.search.includes('devtools')) {
 *   const { renderInspector } = await import('holdfast/devtools');
 *   renderInspector(controller);
 * }
 */
export function renderInspector(controller: Controller, options: InspectorOptions = {}): () => void {
  const host = document.createElement('holdfast-inspector');
  // Properties that it would inherit, such as fonts and `visibility`.
  host.style.all = 'initial';
  const shadow = host.attachShadow({ mode: 'open' });
  style(shadow);
  const container = document.createElement('div');
  shadow.append(container);
  document.body.append(host);
  const root = createRoot(container);
  root.render(<Shell controller={controller} options={options} />);
  return () => {
    host.remove();
    // React cannot unmount a root while another one renders.
    queueMicrotask(() => root.unmount());
  };
}

/** A constructed sheet, which a content security policy without inline styles allows, or else an element. */
function style(shadow: ShadowRoot): void {
  const { adoptedStyleSheets } = shadow as Partial<ShadowRoot>; // jsdom has none
  if (adoptedStyleSheets !== undefined) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    shadow.adoptedStyleSheets = [sheet];
    return;
  }
  const element = document.createElement('style');
  element.textContent = styles;
  shadow.append(element);
}
