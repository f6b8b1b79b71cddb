import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as core from 'holdfast';
import * as devtools from 'holdfast/devtools';
import * as indexeddb from 'holdfast/indexeddb';
import * as outbox from 'holdfast/outbox';
import * as react from 'holdfast/react';
import * as tabs from 'holdfast/tabs';
import * as testing from 'holdfast/testing';
import { readPages, root } from './blocks.ts';

const pages = readPages();
const index = pages.get('docs/README.md') ?? '';
const listed = [
  ...readFileSync(path.join(root, 'docs/.vitepress/pages.mjs'), 'utf8').matchAll(/\[\s*'([\w/]+\.md)',/g),
].map(([, file]) => `docs/${file ?? ''}`);

/** The links of a page to other files, resolved, without those in code. */
function linksOf(page: string, text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(page), target));
}

/** The address of a heading, as GitHub and the site make it. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));

describe('llms.txt', () => {
  it('llms.txt lists the pages as they are (node docs/.vitepress/llms.mjs writes it)', () => {
    const script = path.join(root, 'docs/.vitepress/llms.mjs');
    const expected = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' });
    expect(readFileSync(path.join(root, 'llms.txt'), 'utf8')).toBe(expected);
  });
});

describe('the pages', () => {
  it('all pages but the index and single decisions are in the sidebar and llms.txt', () => {
    const wanted = [...pages.keys()].filter(
      (page) => !['README.md', 'docs/README.md'].includes(page) && !/decisions\/[a-z]\w+\.md$/.test(page),
    );
    expect(listed.toSorted()).toEqual(wanted.toSorted());
  });

  it('all pages are linked from the index, and decisions from theirs', () => {
    const linked = new Set([
      ...linksOf('docs/README.md', index),
      ...linksOf('docs/decisions/README.md', pages.get('docs/decisions/README.md') ?? ''),
    ]);
    const unlinked = [...pages.keys()].filter((page) => !linked.has(page));
    expect(unlinked).toEqual(['README.md', 'docs/README.md']);
  });

  it('the pages mention every export', () => {
    const entries = [core, devtools, indexeddb, outbox, react, tabs, testing];
    const guides = [...pages]
      .filter(([page]) => !/README|from\w+|performance/.test(page))
      .map(([, text]) => text);
    const words = new Set(guides.join('\n').match(/\w+/g));
    const untold = entries.flatMap((entry) => Object.keys(entry)).filter((name) => !words.has(name));
    expect(untold).toEqual([]);
  });

  it('all links point to existing files and headings', () => {
    const others = ['CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md', 'demo/README.md'].map(
      (page) => [page, readFileSync(path.join(root, page), 'utf8')] as const,
    );
    const broken = [...pages, ...others].flatMap(([page, text]) =>
      linksOf(page, text).filter((link) => {
        const [file = '', heading] = link.split('#');
        if (!existsSync(path.join(root, file))) return true;
        return heading !== undefined && !headingsOf(pages.get(file) ?? '').includes(heading);
      }),
    );
    expect(broken).toEqual([]);
  });

  it('links within a page point to its headings', () => {
    const broken = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(#([^)]+)\)/g)]
        .map(([, heading = '']) => heading)
        .filter((heading) => !headingsOf(text).includes(heading))
        .map((heading) => `${page}#${heading}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('docs/architecture.md names source files that exist', () => {
    const paths = [
      ...(pages.get('docs/architecture.md') ?? '').matchAll(/`((?:src|plugins)\/[\w/]+\.tsx?)`/g),
    ].map(([, file = '']) => file);
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
