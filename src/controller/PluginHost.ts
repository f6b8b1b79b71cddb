import { HoldfastError } from '../util/errors.ts';
import { isolated } from '../util/isolated.ts';
import type { Commit } from '../store/Commit.ts';
import type { Controller } from './Controller.ts';
import type { Plugin, PluginRequest, Restored, Wanted } from './Plugin.ts';

/** Runs the plugins of one controller, in the order in which they were given. */
export class PluginHost {
  readonly #plugins: readonly Plugin[];
  #stopped = false;

  /** @throws HoldfastError `HF_PLUGIN` when two plugins have one name */
  constructor(plugins: readonly Plugin[]) {
    this.#plugins = plugins;
    const names = new Set(plugins.map((plugin) => plugin.name));
    if (names.size !== plugins.length) {
      throw new HoldfastError(
        'HF_PLUGIN',
        'Two plugins of one controller have the same name; remove or rename one of them',
      );
    }
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Whether there is anything to ask before the network. */
  get canRestore(): boolean {
    return this.#plugins.some((plugin) => plugin.restore !== undefined);
  }

  /** Starts every plugin; undefined when none needs time. */
  start(controller: Controller): Promise<void> | undefined {
    const started = this.#plugins
      .map((plugin) => plugin.start?.(controller))
      .filter((promise) => promise !== undefined);
    return started.length === 0 ? undefined : Promise.all(started).then(() => undefined);
  }

  get restored(): Promise<void> {
    return this.#all((plugin) => plugin.restored);
  }

  /** Makes a request through every plugin, the first outermost. */
  request(request: PluginRequest, send: (request: PluginRequest) => Promise<unknown>): Promise<unknown> {
    let next = send;
    for (const plugin of this.#plugins.toReversed()) {
      if (plugin.request === undefined) continue;
      const inner = next;
      next = (outer) => plugin.request?.(outer, inner) ?? inner(outer);
    }
    return next(request);
  }

  /** What the plugins have of what is wanted, one answer each. */
  async restore(wanted: Wanted): Promise<Restored[]> {
    const answers = await Promise.all(this.#plugins.map(async (plugin) => plugin.restore?.(wanted)));
    return answers.filter((answer) => answer !== undefined);
  }

  commit(commit: Commit): void {
    if (this.#stopped) return;
    for (const plugin of this.#plugins) isolated(() => plugin.commit?.(commit));
  }

  async reset(): Promise<void> {
    await this.#all((plugin) => plugin.reset?.());
  }

  async flush(): Promise<void> {
    await this.#all((plugin) => plugin.flush?.());
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#all((plugin) => plugin.stop?.());
  }

  async #all(run: (plugin: Plugin) => void | Promise<void> | undefined): Promise<void> {
    await Promise.all(this.#plugins.map(async (plugin) => run(plugin)));
  }
}
