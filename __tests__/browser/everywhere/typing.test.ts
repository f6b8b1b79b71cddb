import { afterAll, beforeAll, expect, it } from '@jest/globals';
import path from 'node:path';
import { describeInBrowser, launch } from '../browsers.ts';
import type { TypingPage } from '../scenarios/typing.tsx';
import { serve, type Site } from '../serve.ts';

const ROWS = 30_000;

describeInBrowser('a page that restores many rows', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve({ typing: path.join(__dirname, '../scenarios/typing.tsx') });
  });
  afterAll(async () => {
    await site.close();
  });

  it('an input shows text that is typed while an update is pending', async () => {
    const { context, close } = await launch();
    const page = await context.newPage();
    await page.goto(`${site.origin}/typing`);
    await page.evaluate(`page.fill(${ROWS})`);

    /** Types while the page restores its rows. Returns what was typed meanwhile. */
    const typeWhileRestoring = async (): Promise<readonly number[]> => {
      await page.reload();
      await page.focus('input');
      const whole = page.evaluate('page.restored()');
      let typed = '';
      const progress = { isOver: false };
      void whole.finally(() => (progress.isOver = true));
      while (!progress.isOver) {
        await page.keyboard.type('a');
        typed += 'a';
      }
      expect(await whole).toBe(ROWS);
      await page.waitForFunction('document.body.innerText.includes("Title of row 99")');
      await page.waitForFunction(`page.letters.length === ${typed.length}`);
      expect(await page.inputValue('input')).toBe(typed);
      const { letters } = await page.evaluate<TypingPage>('page');
      return letters.filter(({ isRestoring }) => isRestoring).map(({ took }) => took);
    };

    // On a busy machine, the first letter may come after the last row.
    let meanwhile: readonly number[] = [];
    for (let attempt = 0; meanwhile.length === 0 && attempt < 10; attempt++)
      meanwhile = await typeWhileRestoring();
    expect(meanwhile.length).toBeGreaterThan(0);
    const { longTasks } = await page.evaluate<TypingPage>('page');
    console.log(
      `${meanwhile.length} letters typed while ${ROWS} rows were restored, on screen after ${Math.round(Math.max(...meanwhile))} ms at most;`,
      longTasks.length === 0
        ? 'no task of 50 ms or more'
        : `longest task ${Math.round(Math.max(...longTasks))} ms`,
    );
    await close();
  });
});
