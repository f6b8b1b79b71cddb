import type { Page as PlaywrightPage } from 'playwright-core';

/**
 * What the tests for every browser use of a page: a part of Playwright's interface, which Chromium has as it is and
 * `DrivenPage` implements over the drivers of the other browsers.
 */
export type Page = Pick<
  PlaywrightPage,
  | 'bringToFront'
  | 'close'
  | 'evaluate'
  | 'focus'
  | 'goto'
  | 'inputValue'
  | 'reload'
  | 'waitForFunction'
  | 'waitForTimeout'
> & { readonly keyboard: Pick<PlaywrightPage['keyboard'], 'type'> };

/** How long a condition may take to hold, and a call of a driver to be answered, in ms. */
export const PATIENCE = 120_000;

/** How often the page is asked again, in ms. */
const INTERVAL = 20;

/** What runs in the page: code, or a function and its argument. */
type Code = string | ((argument: unknown) => unknown);

/** A page of a browser that Playwright does not drive. */
export abstract class DrivenPage {
  readonly keyboard = { type: (text: string): Promise<void> => this.typeText(text) };

  abstract goto(url: string): Promise<unknown>;
  abstract reload(): Promise<unknown>;
  abstract close(options?: { runBeforeUnload?: boolean }): Promise<void>;
  abstract bringToFront(): Promise<void>;
  protected abstract typeText(text: string): Promise<void>;

  /** Runs an expression in the page, once what it awaits is there; its result is a string, or undefined. */
  protected abstract run(expression: string): Promise<string | undefined>;

  async evaluate(code: Code, argument?: unknown): Promise<unknown> {
    const value =
      typeof code === 'string'
        ? `(${code}\n)`
        : `(${String(code)})(${argument === undefined ? '' : JSON.stringify(argument)})`;
    const json = await this.run(`(async () => JSON.stringify(await ${value}))()`);
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  }

  async waitForFunction(
    code: Code,
    argument?: unknown,
    { timeout = PATIENCE }: { readonly timeout?: number } = {},
  ): Promise<{ jsonValue(): Promise<unknown> }> {
    const end = Date.now() + timeout;
    for (;;) {
      // While another document takes the place of this one, nothing can be evaluated.
      const value = await this.evaluate(code, argument).catch((error: unknown) => {
        if (Date.now() > end) throw error;
      });
      if (value) return { jsonValue: () => Promise.resolve(value) };
      if (Date.now() > end) throw new Error(`Did not hold within ${timeout} ms: ${String(code)}`);
      await this.waitForTimeout(INTERVAL);
    }
  }

  waitForTimeout(delay: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, delay));
  }

  async focus(selector: string): Promise<void> {
    await this.evaluate(`${await this.#rendered(selector)}.focus()`);
  }

  async inputValue(selector: string): Promise<unknown> {
    return this.evaluate(`${await this.#rendered(selector)}.value`);
  }

  /** The code of an element, once there is one: React renders after the page has loaded. */
  async #rendered(selector: string): Promise<string> {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    await this.waitForFunction(`${element} !== null`);
    return element;
  }
}

/** The same page by the interface of the tests. Its overloads of `evaluate` are about types alone. */
export function asPage(page: DrivenPage): Page {
  return page as unknown as Page;
}
