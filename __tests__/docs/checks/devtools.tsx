import { waitFor } from '@testing-library/dom';
import { Controller } from 'holdfast';
import { devtools, Inspector } from 'holdfast/devtools';
import { DataProvider } from 'holdfast/react';
import { ok } from 'node:assert/strict';
import { createRoot } from 'react-dom/client';

// There is a button, in a shadow tree of its own.
const controller = new Controller({ plugins: [devtools()] });
const root = createRoot(document.body.appendChild(document.createElement('div')));
root.render(
  <DataProvider controller={controller}>
    <Inspector />
  </DataProvider>,
);
const button = (): Element | null | undefined =>
  document.querySelector('holdfast-inspector')?.shadowRoot?.querySelector('button');
await waitFor(() => ok(button()), { timeout: 60_000 });
root.unmount();
