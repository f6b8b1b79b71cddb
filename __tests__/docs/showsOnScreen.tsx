import { waitFor } from '@testing-library/dom';
import type { Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, type ErrorFallbackProps } from 'holdfast/react';
import { strictEqual } from 'node:assert/strict';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';

/** How long to wait for what an example shows, in ms. */
const patience = Number(process.argv[2]);

const Failure = ({ error }: ErrorFallbackProps): string => `threw ${String(error)}`;

/**
 * Checks what an example says that is seen of it.
 *
 * @param place - page and line of the example
 * @param controller - that of the page, for examples without a provider of their own
 * @param expected - its text, with a space between elements
 */
export async function showsOnScreen(
  place: string,
  controller: Controller,
  element: ReactElement,
  expected: string,
): Promise<void> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  root.render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="" errorComponent={Failure}>
        {element}
      </AsyncBoundary>
    </DataProvider>,
  );
  await waitFor(() => strictEqual(textOf(container), expected, place), { timeout: patience });
  root.unmount();
  container.remove();
}

/** The text of each element that has some of its own. */
function textOf(container: HTMLElement): string {
  const own = [container, ...container.querySelectorAll('*')].map((element) =>
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent ?? '')
      .join(''),
  );
  return own.filter((text) => text.trim() !== '').join(' ');
}
