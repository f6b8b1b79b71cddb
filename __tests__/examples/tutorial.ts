import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a reader of the tutorial does, in order: makes a file, types commands, or acts on and looks at the page. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly content: string }
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | { readonly kind: 'act'; readonly text: string };

/**
 * Reads the tutorial: a code block below a bold file name is that file, one of `sh` is commands, and the items of
 * numbered lists are what to do with the page and what is then seen.
 */
export function readTutorial(): Step[] {
  const text = readFileSync(path.join(__dirname, '../../docs/tutorial.md'), 'utf8');
  const pattern =
    /(?:\*\*`(?<file>[^`]+)`\*\*\n\n)?```(?<language>\w+)\n(?<code>[^]*?)```|^\d+\. (?<item>.+)$/gm;
  return [...text.matchAll(pattern)].map(({ groups = {} }): Step => {
    const { file, language = '', code = '', item } = groups;
    if (item !== undefined) return { kind: 'act', text: item };
    if (file !== undefined) return { kind: 'file', path: file, content: code };
    if (language === 'sh') return { kind: 'commands', lines: code.trim().split('\n') };
    throw new Error(`A reader cannot know what to do with this:\n${code}`);
  });
}
