import { HoldfastError, type Commit, type Controller, type Plugin, type Unsent } from 'holdfast';
import { reportOnce } from '../shared/reportOnce.ts';
import { TabSync } from './TabSync.ts';
import type { TabsOptions } from './TabsOptions.ts';

/** The plugin behind `tabs`. */
export class TabsPlugin implements Plugin {
  readonly name = 'tabs';
  readonly #options: TabsOptions;
  isAttached = false;
  #sync: TabSync | undefined;

  constructor(options: TabsOptions) {
    this.#options = options;
  }

  start(controller: Controller): void {
    this.isAttached = true;
    const report = reportOnce(this.#options.onError);
    try {
      this.#sync = new TabSync(controller, { ...this.#options, origin: this.name, report });
    } catch (cause) {
      // A browser that denies storage to a site may also deny a channel, as Firefox does
      // (https://github.com/trezor/connect/pull/737).
      report(
        new HoldfastError(
          'HF_TABS',
          'There is no BroadcastChannel here, so tabs are not kept in sync; use a browser that has one, and allow site data',
          { cause },
        ),
      );
    }
  }

  commit(commit: Commit): void {
    this.#sync?.commit(commit);
  }

  flush(): Promise<void> {
    this.#sync?.flush();
    return Promise.resolve();
  }

  reset(origin: string, unsent: Unsent = 'discard', at = 0): Promise<void> {
    this.#sync?.reset(origin, unsent, at);
    return Promise.resolve();
  }

  stop(): void {
    this.#sync?.close();
    this.#sync = undefined;
  }
}
