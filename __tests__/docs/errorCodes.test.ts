import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8'));
}

const codesIn = (text: string): string[] => text.match(/\bHF_[A-Z_]+\b/g) ?? [];

const declared =
  readFileSync(path.join(root, 'src/util/errors.ts'), 'utf8').match(/export type ErrorCode =[^;]+;/)?.[0] ??
  '';
const documented = [
  ...readFileSync(path.join(root, 'docs/errors.md'), 'utf8').matchAll(/^## (HF_[A-Z_]+)$/gm),
].map(([, code]) => code);

describe('docs/errors.md', () => {
  it('the page explains exactly the declared codes, in order', () => {
    expect(documented).toEqual(codesIn(declared).sort());
  });

  it('the page has a section for every code that the sources use', () => {
    const used = new Set([...sources('src'), ...sources('plugins')].flatMap(codesIn));
    expect([...used].filter((code) => !documented.includes(code))).toEqual([]);
  });

  it('the page has no section for a code that nothing throws', () => {
    const thrown = [...sources('src'), ...sources('plugins')]
      .map((text) => text.replace(declared, ''))
      .join('\n');
    const quoted = new Set([...thrown.matchAll(/'(HF_[A-Z_]+)'/g)].map(([, code]) => code));
    expect(documented.filter((code) => !quoted.has(code))).toEqual([]);
  });
});
