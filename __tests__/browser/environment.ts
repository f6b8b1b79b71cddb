import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import type { BrowserContext, Page } from 'playwright-core';

declare global {
  /** The browsers that are open in this test file. */
  var openContexts: Set<BrowserContext> | undefined;
}

const shownBy = async (page: Page) => {
  const body = page.locator('body').innerText({ timeout: 5_000 });
  const text = await body.catch(() => '(no answer)');
  return `Open page: ${page.url()}: ${text.replace(/\s*\n\s*/g, ' | ').slice(0, 1_500)}`;
};

/** Puts what its pages show above the message of a test that fails: a locator that found nothing does not tell why. */
export default class BrowserEnvironment extends TestEnvironment {
  async handleTestEvent(event: Circus.Event): Promise<void> {
    if (event.name !== 'test_fn_failure' || typeof event.error !== 'object' || event.error === null) return;
    const error = event.error as { stack?: string }; // an Error of the tests' realm
    const pages = [...(this.global.openContexts ?? [])].flatMap((context) => context.pages());
    error.stack = [...(await Promise.all(pages.map(shownBy))), error.stack].join('\n\n');
  }
}
