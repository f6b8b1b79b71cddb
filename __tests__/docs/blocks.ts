import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root: string = path.join(__dirname, '../..');

/** One fenced block of code on a page. */
export interface Block {
  /** From the root of the repository, such as `docs/entities.md`. */
  readonly page: string;
  /** Of its first line of code, from 1. */
  readonly line: number;
  /** Such as `tsx`. */
  readonly language: string;
  /** The words after the language. */
  readonly marks: readonly string[];
  readonly code: string;
}

/** Why a block is compiled but not run, by its mark. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  types: 'There is nothing to run.',
  tested: 'It is a file of docs/examples, which a test runs: see guides.test.ts and checks/.',
  browser: 'It takes what only a browser has; __tests__/browser and liveUpdates.test.ts have such things.',
  next: 'It is a file of examples/nextjs, which __tests__/nextjs builds and runs: see guides.test.ts.',
  pwa: 'It is a file of examples/pwa, which a test builds and opens: see __tests__/pwa.',
  tanstack: 'It is in the words of TanStack Query or TanStack DB.',
};

const GENERATED = /^docs\/(?:api|repository|node_modules|\.vitepress)\//;

/** The pages that are written by hand. */
export function readPages(): ReadonlyMap<string, string> {
  const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.md') && !GENERATED.test(name));
  return new Map(
    ['README.md', ...docs.sort()].map((page) => [page, readFileSync(path.join(root, page), 'utf8')]),
  );
}

/** The blocks of code of a page, in order. */
export function blocksOf(page: string, text: string): Block[] {
  const blocks: Block[] = [];
  for (const match of text.matchAll(/^```(\w+)([^\n]*)\n([^]*?)^```$/gm)) {
    const [, language = '', marks = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    blocks.push({ page, line, language, marks: marks.trim().split(/\s+/).filter(Boolean), code });
  }
  return blocks;
}
