import { describe, expect, it } from '@jest/globals';
import { blocksOf, readPages } from './blocks.ts';
import { modulesOf } from './modules.ts';
import { runPage } from './runPage.ts';

const isRun = ({ marks }: { readonly marks: readonly string[] }): boolean => marks.includes('run');

const compiled = (page: string, text: string) =>
  modulesOf(blocksOf(page, text).filter(({ language }) => /^tsx?$/.test(language)));

const pages = [...readPages()].filter(([page, text]) => blocksOf(page, text).some(isRun));

describe('examples that say what they show', () => {
  it.each(pages)('%s', async (page, text) => {
    expect(await runPage(page, compiled(page, text))).toBe('');
  });

  it('fail where they show something else, or throw', async () => {
    const text = (said: string) => `\`\`\`ts run\n1 + 1; // → ${said}\n\`\`\``;
    const run = (said: string) => runPage('wrong.md', compiled('wrong.md', text(said)));
    expect(await run('3')).toContain('wrong.md:2');
    expect(await run('throws HF_SHAPE')).toContain('wrong.md:2 does not throw HF_SHAPE');
    expect(await run('2')).toBe('');
  });
});
