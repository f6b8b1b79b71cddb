import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { blocksOf, root } from './blocks.ts';

const docs = path.join(root, 'docs');

describe.each([
  ['ssr.md', ['ssrPage.tsx', 'ssrServer.tsx', 'ssrClient.tsx']],
  ['optimistic.md', ['TaskForm.tsx']],
  ['serviceWorkers.md', ['worker.ts']],
  ['uploads.md', ['sendWithProgress.ts']],
  ['realApi.md', ['sendWithAxios.ts']],
])('docs/%s', (guide, examples) => {
  // The examples are compiled with everything else.
  it.each(examples)('the page shows docs/examples/%s as it is', (example) => {
    const code = readFileSync(path.join(docs, 'examples', example), 'utf8').trim();
    expect(readFileSync(path.join(docs, guide), 'utf8')).toContain(code);
  });
});

describe('docs/nextjs.md', () => {
  const page = 'docs/nextjs.md';
  const blocks = blocksOf(page, readFileSync(path.join(root, page), 'utf8'));

  it('the page shows files of examples/nextjs as they are, and no other code', () => {
    const changed = blocks.filter(({ marks: [file = ''], code }) => {
      return code !== readFileSync(path.join(root, 'examples/nextjs', file), 'utf8');
    });
    expect(blocks.length).toBeGreaterThan(8);
    expect(changed).toEqual([]);
  });
});
