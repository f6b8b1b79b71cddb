import type { Page } from 'playwright-core';

/** Waits until the demo shows that everything it has read is on disk: what it opens without its server. */
export async function savedDemo(page: Page): Promise<void> {
  const last = await page.evaluate(() => Date.now());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.waitForFunction(() => document.querySelector('.is-refreshing') === null);
  await page.getByRole('button', { name: 'On this device' }).click();
  await page.waitForFunction(
    (since) => Date.parse(document.querySelector<HTMLTimeElement>('.facts time')?.dateTime ?? '') >= since,
    last,
  );
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
}
