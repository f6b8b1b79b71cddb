import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const docs = path.join(__dirname, '../../docs');

describe.each([
  ['ssr.md', ['ssrPage.tsx', 'ssrServer.tsx', 'ssrClient.tsx']],
  ['serviceWorkers.md', ['worker.ts']],
])('docs/%s', (guide, examples) => {
  // The examples are compiled with everything else.
  it.each(examples)('shows docs/examples/%s as it is', (example) => {
    const code = readFileSync(path.join(docs, 'examples', example), 'utf8').trim();
    expect(readFileSync(path.join(docs, guide), 'utf8')).toContain(code);
  });
});
