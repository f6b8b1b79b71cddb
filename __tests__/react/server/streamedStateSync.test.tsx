/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { Controller, Endpoint, serialize, streamedStateSync } from 'holdfast';
import { Story } from '../../support/entities.ts';

const getStory = new Endpoint(async ({ id }: { readonly id: string }) => ({ id, text: `Story ${id}` }), {
  name: 'getStory',
  schema: Story,
});

/** What arrives of the page. */
async function arrives(id: string): Promise<void> {
  const server = new Controller();
  await server.fetch(getStory, { id });
  const element = document.createElement('script');
  element.type = 'application/json';
  element.setAttribute('data-holdfast-state', '');
  element.textContent = `${serialize(server)}\n`;
  document.body.append(element);
}
const textOf = (controller: Controller, id: string) => controller.get(Story, { id })?.text;

afterEach(() => {
  document.body.replaceChildren();
  Reflect.deleteProperty(document, 'readyState');
});

it('streamedStateSync gives a controller what has arrived, and later what still arrives', async () => {
  let readyState: DocumentReadyState = 'loading';
  Object.defineProperty(document, 'readyState', { configurable: true, get: () => readyState });
  await arrives('1');
  const controller = new Controller({ initialState: streamedStateSync() });
  expect(textOf(controller, '1')).toBe('Story 1');
  expect(textOf(controller, '2')).toBeUndefined();
  await arrives('2');
  await waitFor(() => expect(textOf(controller, '2')).toBe('Story 2'));
  readyState = 'interactive';
  document.dispatchEvent(new Event('readystatechange'));
});

it('streamedStateSync of a page without data gives an empty state', () => {
  const controller = new Controller({ initialState: streamedStateSync() });
  expect(controller.getState().results.size).toBe(0);
});

it('streamedStateSync throws HF_INITIAL_STATE when the data of the first part is damaged', () => {
  const element = document.createElement('script');
  element.type = 'application/json';
  element.setAttribute('data-holdfast-state', '');
  element.textContent = '{"layout":\n';
  document.body.append(element);
  expect(() => streamedStateSync()).toThrow('HF_INITIAL_STATE');
});
