import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root, type Block } from './blocks.ts';

/** The `@example` blocks in the sources of the library and its plugins, each as a block of its file. */
export function tsdocExamples(): Block[] {
  return ['src', 'plugins'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
      .filter((name) => /\.tsx?$/.test(name))
      .sort()
      .flatMap((page) => examplesIn(page, readFileSync(path.join(root, page), 'utf8'))),
  );
}

/** An example ends where its comment does, or at the next tag. */
export function examplesIn(page: string, text: string): Block[] {
  return [...text.matchAll(/^ *\* @example\n((?: *\*(?: (?!@).*)?\n)+)/gm)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length + 1;
    const code = (match[1] ?? '').replaceAll(/^ *\*\/? ?/gm, '');
    return { page, line, language: 'tsx', marks: [], code };
  });
}
