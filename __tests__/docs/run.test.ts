import { beforeAll, describe, expect, it } from '@jest/globals';
import { blocksOf, NOT_RUN, readPages } from './blocks.ts';
import { modulesOf } from './modules.ts';
import { buildDependencies } from './dependencies.ts';
import { runPage } from './runPage.ts';

const isRun = ({ marks }: { readonly marks: readonly string[] }): boolean => marks.includes('run');

/** These have tests of their own, which follow them word by word. */
const ELSEWHERE = ['README.md', 'docs/tutorial.md'];

const compiled = (page: string, text: string) =>
  modulesOf(blocksOf(page, text).filter(({ language }) => /^tsx?$/.test(language)));

const pages = [...readPages()].filter(([page, text]) => blocksOf(page, text).some(isRun));

beforeAll(buildDependencies);

describe('the examples', () => {
  it('all examples run, or state why they do not', () => {
    const silent = [...readPages()]
      .filter(([page]) => !ELSEWHERE.includes(page))
      .flatMap(([page, text]) => blocksOf(page, text))
      .filter(({ language, marks }) => /^tsx?$/.test(language) && !isRun({ marks }))
      .filter(({ marks }) => !marks.some((mark) => mark in NOT_RUN))
      .map(({ page, line }) => `${page}:${line}`);
    expect(silent).toEqual([]);
  });

  it.each(pages)('the examples of %s return what they state', async (page, text) => {
    expect(await runPage(page, compiled(page, text))).toBe('');
  });

  it('the example check fails for wrong output or an exception', async () => {
    const text = (said: string) => `\`\`\`ts run\n1 + 1; // → ${said}\n\`\`\``;
    const run = (said: string) => runPage('wrong.md', compiled('wrong.md', text(said)));
    expect(await run('3')).toContain('wrong.md:2');
    expect(await run('throws HF_SHAPE')).toContain('wrong.md:2 does not throw HF_SHAPE');
    expect(await run('2')).toBe('');
  });

  it('the example check fails for wrong observations or reported errors', async () => {
    const run = (code: string, index: number) => {
      const page = `unseen${index}.md`;
      // Only the first one shows what it states; the others would be waited for in vain.
      return runPage(page, compiled(page, `\`\`\`tsx run\n${code}\n\`\`\``), index === 0 ? undefined : 1_000);
    };
    const [right, ...wrong] = await Promise.all(
      [
        "<p>One</p>; // → 'One'",
        "<p>One</p>; // → 'Two'",
        "return <p>One</p>;\n// → 'Two'",
        "root.render(<p>One</p>); // → 'Two'",
        "console.error('unseen4.md:2');",
      ].map(run),
    );
    expect(right).toBe('');
    for (const [index, said] of wrong.entries()) expect(said).toContain(`unseen${index + 1}.md:2`);
  });
});
