import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The part of axe that is used here. */
interface Axe {
  run(
    where: object,
    options: object,
  ): Promise<{
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  }>;
}

interface Fault {
  readonly impact: string;
  readonly text: string;
}

async function find(page: Page, where?: object): Promise<Fault[]> {
  await page.evaluate(source);
  return page.evaluate(async (wanted) => {
    const { axe } = window as unknown as { axe: Axe }; // the script above has put it there
    // Without describing everything that is right.
    const { violations } = await axe.run(wanted ?? document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({ impact, text: `${id}: ${html} ${failureSummary}` })),
    );
  }, where);
}

/** What axe finds on a page, one text each. */
export async function faults(page: Page): Promise<string[]> {
  return (await find(page)).map(({ text }) => text);
}

/**
 * What axe finds on a page that is serious or critical, one text each.
 *
 * @param where - what to look at, in axe's own words; the whole page by default
 */
export async function seriousFaults(page: Page, where?: object): Promise<string[]> {
  const found = await find(page, where);
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ text }) => text);
}
