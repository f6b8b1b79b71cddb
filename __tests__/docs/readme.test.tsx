/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App } from '../../docs/examples/articles.tsx';

const root = path.join(__dirname, '../..');
const titles = new Map([
  ['1', 'One'],
  ['2', 'Two'],
]);
const server = setupServer(
  http.get('https://api.example.com/articles', () =>
    HttpResponse.json([...titles].map(([id, title]) => ({ id, title }))),
  ),
  http.patch<{ id: string }, { title: string }>(
    'https://api.example.com/articles/:id',
    async ({ params: { id }, request }) => {
      titles.set(id, (await request.json()).title);
      return HttpResponse.json({ id, title: titles.get(id) });
    },
  ),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

it('the tested example is the one in the README', () => {
  const example = readFileSync(path.join(root, 'docs/examples/articles.tsx'), 'utf8').trim();
  expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toContain('```tsx\n' + example + '\n```');
});

it('the README example shows the list, and an edit on screen and server', async () => {
  await act(async () => {
    render(<App />);
  });
  const button = await screen.findByRole('button', { name: 'One' });
  await act(async () => {
    fireEvent.click(button);
  });
  expect(await screen.findByRole('button', { name: 'One!' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Two' })).toBeTruthy();
  expect(titles.get('1')).toBe('One!');
});
