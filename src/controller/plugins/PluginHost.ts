import { HoldfastError } from '../../util/errors.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import type { Commit, LayerId } from '../../store/Commit.ts';
import type { Environment } from '../Environment.ts';
import type { Mutation } from '../writes/Mutation.ts';
import type { MutationPluginOf } from './MutationPlugin.ts';
import type { PluginOf, PluginRequest, Read } from './Plugin.ts';
import type { Restored, RestoreQuery, ResultRevision, StoragePluginOf } from './StoragePlugin.ts';

/** A plugin of any kind. */
export type AnyPluginOf<Controller> = PluginOf<Controller> &
  Partial<StoragePluginOf<Controller> & MutationPluginOf<Controller>>;

/** The data that one plugin has restored. */
interface RestoreAnswer {
  readonly from: string;
  readonly restored: Restored;
}

/** Runs the plugins of one controller, in the given order. */
export class PluginHost<Controller = unknown> {
  readonly all: readonly AnyPluginOf<Controller>[];
  #stopped = false;
  /** Whether the plugins have stopped, so that they get no more commits. */
  #isSilent = false;

  /**
   * @throws HoldfastError `HF_PLUGIN` when two plugins have the same name, or one belongs to another controller; in
   * development also for a plugin that was not called, whose name makes it a `Plugin` for TypeScript
   */
  constructor(plugins: readonly AnyPluginOf<Controller>[]) {
    this.all = plugins;
    if (process.env.NODE_ENV !== 'production') {
      const uncalled = plugins.find((plugin: object) => typeof plugin === 'function');
      if (uncalled !== undefined)
        throw new HoldfastError(
          'HF_PLUGIN',
          `plugins contains the function ${uncalled.name}, not a plugin; call it: ${uncalled.name}()`,
        );
    }
    const attached = plugins.find(({ isAttached }) => isAttached);
    if (attached !== undefined) {
      throw new HoldfastError(
        'HF_PLUGIN',
        `The plugin ${attached.name} belongs to another controller already; create one for each`,
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

  /** The environment of the first plugin that has one. */
  get environment(): Environment | undefined {
    return this.all.find(({ environment }) => environment !== undefined)?.environment;
  }

  /** Settles once every plugin has completed its background restore. */
  get restored(): Promise<void> {
    return this.each((plugin) => plugin.restored);
  }

  /** Whether any plugin can restore data. */
  get canRestore(): boolean {
    return this.all.some((plugin) => plugin.restore !== undefined);
  }

  /**
   * Starts every plugin; undefined if none is asynchronous. Settles when all have started; rejects with the first
   * failure, after which the others and the app still work.
   */
  start(controller: Controller): Promise<void> | undefined {
    // Those that return a promise, or throw.
    let waiting = 0;
    const starting = this.each((plugin) => {
      waiting += 1;
      const started = plugin.start?.(controller);
      if (started === undefined) waiting -= 1;
      return started;
    });
    return waiting === 0 ? undefined : starting;
  }

  /** Sends a request through every plugin, the first outermost. */
  request(request: PluginRequest, send: (request: PluginRequest) => Promise<unknown>): Promise<unknown> {
    const through = this.all.reduceRight(
      (next, plugin) => (outer: PluginRequest) => {
        if (plugin.request === undefined) return next(outer);
        const response = plugin.request(outer, next) as Promise<unknown> | undefined; // untyped code may return nothing
        if (process.env.NODE_ENV !== 'production' && response === undefined)
          throw new HoldfastError(
            'HF_PLUGIN',
            `request() of the plugin ${plugin.name} returned nothing; return next(request), or a response`,
          );
        return response ?? next(outer);
      },
      send,
    );
    return through(request);
  }

  /** The promise of the first plugin that takes a mutation over; undefined if none does. */
  mutate(mutation: Mutation): Promise<unknown> | undefined {
    if (this.#stopped) return undefined;
    for (const plugin of this.all) {
      const attached = plugin.mutate?.(mutation);
      if (attached !== undefined) return attached;
    }
    return undefined;
  }

  /** Ends the subscription of the first plugin that handles it; undefined if none does. */
  subscribe(read: Read): (() => void) | undefined {
    let end: (() => void) | undefined;
    for (const plugin of this.all) {
      runIsolated(() => {
        end = plugin.subscribe?.(read);
      });
      if (end !== undefined) break;
    }
    return end;
  }

  /** Whether a plugin can restore a result at any time. */
  holds(key: string): boolean {
    return this.all.some((plugin) => plugin.holds?.(key) === true);
  }

  /** The data that plugins have for a query. A plugin that fails is skipped, since a request follows. */
  async restore(query: RestoreQuery): Promise<RestoreAnswer[]> {
    const answers: RestoreAnswer[] = [];
    const restoreFrom = async (plugin: AnyPluginOf<Controller>): Promise<void> => {
      const restored = await plugin.restore?.(query);
      if (restored !== undefined) answers.push({ from: plugin.name, restored });
    };
    await Promise.allSettled(this.all.map(restoreFrom));
    return answers;
  }

  revise(revision: ResultRevision): void {
    for (const plugin of this.all) runIsolated(() => plugin.revise?.(revision));
  }

  commit(commit: Commit): void {
    if (this.#isSilent) return;
    for (const plugin of this.all) runIsolated(() => plugin.commit?.(commit));
  }

  /**
   * The layers to remove because another tab has committed these records.
   *
   * @param hasRows - whether the commit also has rows
   */
  settledBy(side: Commit['side'], hasRows: boolean): LayerId[] {
    const settled: LayerId[] = [];
    for (const plugin of this.all) {
      const records = Object.hasOwn(side, plugin.name) ? side[plugin.name] : undefined;
      if (records !== undefined)
        runIsolated(() => {
          for (const layer of plugin.settles?.(records, hasRows) ?? []) settled.push(layer);
        });
    }
    return settled;
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    // Plugins still get the commits that others make while they stop.
    await this.each((plugin) => plugin.stop?.()).finally(() => {
      this.#isSilent = true;
    });
  }

  /** Runs a function for all plugins in parallel; rejects with the first failure once all of them have settled. */
  async each(run: (plugin: AnyPluginOf<Controller>) => void | Promise<void> | undefined): Promise<void> {
    const outcomes = await Promise.allSettled(this.all.map(async (plugin) => run(plugin)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
