import { HoldfastError } from '../util/errors.ts';
import { isolated } from '../util/isolated.ts';
import type { Commit, LayerId } from '../store/Commit.ts';
import type { Environment } from './Environment.ts';
import type { Mutation } from './Mutation.ts';
import type { PluginOf, PluginRequest, Read, Restored, ResultRevision, Wanted } from './Plugin.ts';

/** What one plugin had of what was wanted. */
interface Answer {
  readonly from: string;
  readonly restored: Restored;
}

/** Runs the plugins of one controller, in the order in which they were given. */
export class PluginHost<Controller = unknown> {
  readonly all: readonly PluginOf<Controller>[];
  #stopped = false;
  /** Stopped, and every plugin with it. */
  #isSilent = false;

  /** @throws HoldfastError `HF_PLUGIN` when two plugins have one name, or one is another controller's */
  constructor(plugins: readonly PluginOf<Controller>[]) {
    this.all = plugins;
    const taken = plugins.find(({ isTaken }) => isTaken);
    if (taken !== undefined) {
      throw new HoldfastError(
        'HF_PLUGIN',
        `The plugin ${taken.name} has been given to a controller before; make another for this one`,
      );
    }
    const names = plugins.map(({ name }) => name);
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (twice !== undefined) {
      throw new HoldfastError(
        'HF_PLUGIN',
        `Two plugins of one controller are named ${twice}; remove or rename one of them`,
      );
    }
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** What the first plugin that knows better than the browser knows of the device. */
  get environment(): Environment | undefined {
    return this.all.find(({ environment }) => environment !== undefined)?.environment;
  }

  /** Whether there is anything to ask before the network. */
  get canRestore(): boolean {
    return this.all.some((plugin) => plugin.restore !== undefined);
  }

  /**
   * Starts every plugin; undefined when none needs time. Settles when all have, with the first failure if any
   * failed: the others go on, and so does the app.
   */
  start(controller: Controller): Promise<void> | undefined {
    const starting: Promise<void>[] = [];
    for (const plugin of this.all) {
      try {
        const started = plugin.start?.(controller);
        if (started !== undefined) starting.push(started);
      } catch (error) {
        starting.push(Promise.reject(error instanceof Error ? error : new Error(String(error))));
      }
    }
    if (starting.length === 0) return undefined;
    return Promise.allSettled(starting).then((outcomes) => {
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    });
  }

  /** Makes a request through every plugin, the first outermost. */
  request(request: PluginRequest, send: (request: PluginRequest) => Promise<unknown>): Promise<unknown> {
    const through = this.all.reduceRight(
      (next, plugin) => (outer: PluginRequest) => plugin.request?.(outer, next) ?? next(outer),
      send,
    );
    return through(request);
  }

  /** What the first plugin that takes a mutation over makes of it; undefined where none does. */
  mutate(mutation: Mutation): Promise<unknown> | undefined {
    if (this.#stopped) return undefined;
    for (const plugin of this.all) {
      const taken = plugin.mutate?.(mutation);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  /** What ends the subscription that the first plugin which wants it has begun. */
  subscribe(read: Read): (() => void) | undefined {
    let end: (() => void) | undefined;
    for (const plugin of this.all) {
      isolated(() => {
        end = plugin.subscribe?.(read);
      });
      if (end !== undefined) break;
    }
    return end;
  }

  /** Whether one of the plugins can bring a result back at any time. */
  holds(key: string): boolean {
    return this.all.some((plugin) => plugin.holds?.(key) === true);
  }

  /** What the plugins have of what is wanted. One that fails is passed over: the network is asked next. */
  async restore(wanted: Wanted): Promise<Answer[]> {
    const answers: Answer[] = [];
    const ask = async (plugin: PluginOf<Controller>): Promise<void> => {
      const restored = await plugin.restore?.(wanted);
      if (restored !== undefined) answers.push({ from: plugin.name, restored });
    };
    await Promise.allSettled(this.all.map(ask));
    return answers;
  }

  revise(revision: ResultRevision): void {
    for (const plugin of this.all) isolated(() => plugin.revise?.(revision));
  }

  commit(commit: Commit): void {
    if (this.#isSilent) return;
    for (const plugin of this.all) isolated(() => plugin.commit?.(commit));
  }

  /** The layers that the plugins named in `side` want taken away, now that another tab has committed this. */
  settledBy(side: Commit['side']): LayerId[] {
    const settled: LayerId[] = [];
    for (const plugin of this.all) {
      const records = Object.hasOwn(side, plugin.name) ? side[plugin.name] : undefined;
      if (records !== undefined) isolated(() => settled.push(...(plugin.settles?.(records) ?? [])));
    }
    return settled;
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    // What a plugin writes while it stops is still told to all.
    await this.each((plugin) => plugin.stop?.()).finally(() => {
      this.#isSilent = true;
    });
  }

  /** Runs something for every plugin, all at once; rejects with what the first that fails does. */
  async each(run: (plugin: PluginOf<Controller>) => void | Promise<void> | undefined): Promise<void> {
    await Promise.all(this.all.map(async (plugin) => run(plugin)));
  }
}
