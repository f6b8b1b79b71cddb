import type { Controller, MountedRead, Read, State } from 'holdfast';
import { DevtoolsPlugin } from '../DevtoolsPlugin.ts';
import type { TimelineEntry } from '../Timeline.ts';
import type { TrafficEntry } from '../Traffic.ts';

/** The interval at which the clock advances, in ms. */
const TICK = 1_000;

/** The state that the inspector shows, at one moment. Immutable. */
export interface View {
  /** In ms since the epoch, by the controller's clock. */
  readonly now: number;
  readonly state: State;
  readonly mounted: ReadonlyMap<string, MountedRead>;
  /**
   * Mounted reads that have no result but are served from rows, by key: when they become stale, in ms since the
   * epoch.
   */
  readonly fromRows: ReadonlyMap<string, number>;
  /** Keys of reads with a pending request. */
  readonly loading: ReadonlySet<string>;
  readonly requests: readonly TrafficEntry[];
  readonly commits: readonly TimelineEntry[];
  readonly isOffline: boolean;
  /** The commit before which `state` was; undefined if it is the current one. */
  readonly past: TimelineEntry | undefined;
}

/**
 * A controller's state for the inspector. It is read only while there are subscribers: each second, and after
 * changes, at most once a frame and never for more than a tenth of the time.
 */
export class InspectorStore {
  readonly controller: Controller;
  readonly plugin: DevtoolsPlugin | undefined;
  readonly #listeners = new Set<() => void>();
  #view: View | undefined;
  #isDue = false;
  /** It is not read again before this time, by the page's own clock. */
  #rests = 0;
  #stop: (() => void) | undefined;
  #past: { readonly entry: TimelineEntry; readonly state: State } | undefined;

  constructor(controller: Controller) {
    this.controller = controller;
    this.plugin = controller.plugins.find((plugin) => plugin instanceof DevtoolsPlugin);
  }

  readonly get = (): View => (this.#view ??= this.#takeSnapshot());

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#stop ??= this.#listen();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  };

  /** Schedules the next read. */
  readonly refresh = (): void => {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(
      () => requestAnimationFrame(() => this.#refreshNow()),
      Math.max(0, this.#rests - performance.now()),
    );
  };

  /** The endpoint and args of a key; undefined if it has not been read since the page was loaded. */
  read(key: string): Read | undefined {
    return this.get().mounted.get(key) ?? this.plugin?.traffic.read(key);
  }

  /** Shows the state before a commit, or the current one again. */
  lookBefore(entry?: TimelineEntry): void {
    this.#past = entry?.before && { entry, state: entry.before };
    this.refresh();
  }

  refetch({ endpoint, args }: Read): void {
    // The result appears in the list of requests, and in the readers of the key.
    this.controller.fetch(endpoint, ...args).catch(() => undefined);
  }

  refetchStale(): void {
    for (const read of this.controller.mountedReads()) if (read.isStale) this.refetch(read);
  }

  invalidate(key?: string): void {
    this.controller.invalidateAll({ testKey: (other) => key === undefined || other === key });
    this.refresh();
  }

  expire(key?: string): void {
    this.controller.expireAll({ testKey: (other) => key === undefined || other === key });
    this.refresh();
  }

  #listen(): () => void {
    const stopPlugin = this.plugin?.status.subscribe(this.refresh);
    const ticking = setInterval(this.refresh, TICK);
    this.#view = undefined;
    return () => {
      stopPlugin?.();
      clearInterval(ticking);
    };
  }

  #refreshNow(): void {
    this.#isDue = false;
    if (this.#stop === undefined) return;
    const began = performance.now();
    this.#view = this.#takeSnapshot();
    for (const listener of [...this.#listeners]) listener();
    // React renders after this task; together with the time before it, this is a good measure.
    setTimeout(() => {
      const now = performance.now();
      this.#rests = now + 9 * (now - began);
    });
  }

  #takeSnapshot(): View {
    const { controller, plugin } = this;
    const past = this.#past;
    const requests = plugin?.traffic.entries() ?? [];
    const state = past?.state ?? controller.getState();
    // What was on screen at the time is not known.
    const mounted = past === undefined ? controller.mountedReads() : [];
    return {
      now: past?.entry.at ?? controller.now(),
      state,
      mounted: new Map(mounted.map((read) => [read.key, read])),
      fromRows: answeredByRows(controller, mounted, state),
      loading: new Set(requests.filter(({ endedAt }) => endedAt === undefined).map(({ key }) => key)),
      requests,
      commits: plugin?.timeline.entries() ?? [],
      isOffline: plugin?.isOffline ?? false,
      past: past?.entry,
    };
  }
}

function answeredByRows(
  controller: Controller,
  mounted: readonly MountedRead[],
  { results }: State,
): ReadonlyMap<string, number> {
  const answered = new Map<string, number>();
  for (const { key, endpoint, args } of mounted) {
    if (results.get(key) !== undefined) continue;
    const { data, expiresAt } = controller.getResponse(endpoint, ...args);
    if (data !== undefined) answered.set(key, expiresAt);
  }
  return answered;
}
