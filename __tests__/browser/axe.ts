import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The part of axe that is used here. */
interface Axe {
  run(where?: object): Promise<{
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  }>;
}

/**
 * What axe finds on a page that is serious or critical, one text each.
 *
 * @param where - what to look at, in axe's own words; the whole page by default
 */
export async function seriousFaults(page: Page, where?: object): Promise<string[]> {
  await page.evaluate(source);
  return page.evaluate(async (wanted) => {
    const { axe } = window as unknown as { axe: Axe }; // the script above has put it there
    const { violations } = await axe.run(wanted ?? document);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
  }, where);
}
