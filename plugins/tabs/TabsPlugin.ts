import { HoldfastError, type Commit, type Controller, type Plugin, type Unsent } from 'holdfast';
import { Conversation } from './Conversation.ts';
import type { TabsOptions } from './TabsOptions.ts';

/** The plugin behind `tabs`. */
export class TabsPlugin implements Plugin {
  readonly name = 'tabs';
  readonly #options: TabsOptions;
  readonly #told = new Set<string>();
  #conversation: Conversation | undefined;
  #isTaken = false;

  constructor(options: TabsOptions) {
    this.#options = options;
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  start(controller: Controller): void {
    this.#isTaken = true;
    const tell = this.#tell.bind(this);
    try {
      this.#conversation = new Conversation(controller, { ...this.#options, origin: this.name, tell });
    } catch (cause) {
      // A browser that may store nothing for a site may refuse to make one, too.
      tell(
        new HoldfastError(
          'HF_TABS',
          'There is no BroadcastChannel here, so this tab does not hear from others; use a browser that has one, and allow site data, to keep tabs in sync',
          { cause },
        ),
      );
    }
  }

  commit(commit: Commit): void {
    this.#conversation?.commit(commit);
  }

  flush(): Promise<void> {
    this.#conversation?.flush();
    return Promise.resolve();
  }

  reset(origin: string, unsent: Unsent = 'discard'): Promise<void> {
    this.#conversation?.reset(origin, unsent);
    return Promise.resolve();
  }

  stop(): void {
    this.#conversation?.end();
    this.#conversation = undefined;
  }

  /** Tells the app of an error, once. */
  #tell(error: HoldfastError): void {
    if (this.#told.has(error.message)) return;
    this.#told.add(error.message);
    const { onError = (shown: HoldfastError) => console.error(shown) } = this.#options;
    // Not in the middle of a commit: what the app does then may commit too, or throw.
    queueMicrotask(() => onError(error));
  }
}
