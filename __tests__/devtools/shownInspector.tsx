import { expect } from '@jest/globals';
import { act, render, within } from '@testing-library/react';
import type { Controller } from 'holdfast';
import { Inspector, type InspectorOptions } from 'holdfast/devtools';
import { DataProvider } from 'holdfast/react';
import { StrictMode, type ReactNode } from 'react';

/** The next frame has been drawn, and what it brought. */
export const frame = async () => {
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
};

export const hosts = () => [...document.querySelectorAll('holdfast-inspector')];

export async function until(holds: () => boolean) {
  await act(async () => {
    for (const end = Date.now() + 60_000; !holds() && Date.now() < end;) await frame();
  });
  expect(holds()).toBe(true);
}

/** An app with an inspector, and what to find things in that by. */
export async function showInspector(controller: Controller, app: ReactNode, options: InspectorOptions = {}) {
  const view = render(
    <StrictMode>
      <DataProvider controller={controller}>
        {app}
        <Inspector {...options} />
      </DataProvider>
    </StrictMode>,
  );
  await until(() => hosts().length === 1);
  const container = hosts()[0]?.shadowRoot?.querySelector('div');
  if (!container) throw new Error('The inspector has no shadow tree');
  return { ...view, inspector: within(container) };
}

export type Shown = Awaited<ReturnType<typeof showInspector>>['inspector'];

export async function open(inspector: Shown, tab?: string) {
  await act(async () => inspector.getByRole('button', { name: 'Open the Holdfast inspector' }).click());
  if (tab !== undefined) await act(async () => inspector.getByRole('tab', { name: new RegExp(tab) }).click());
}

export const press = (inspector: Shown, name: string | RegExp) =>
  act(async () => inspector.getByRole('button', { name }).click());

/** Types into a search field. */
export async function search(inspector: Shown, name: string, text: string) {
  const field = inspector.getByRole<HTMLInputElement>('searchbox', { name });
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Presses a key where the focus is, in the list with this name. */
export async function pressKey(inspector: Shown, list: string, key: string) {
  const focused = hosts()[0]?.shadowRoot?.activeElement;
  expect(inspector.getByRole('list', { name: list }).contains(focused ?? null)).toBe(true);
  await act(async () => void focused?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
}
