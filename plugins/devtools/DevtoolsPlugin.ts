import {
  NetworkError,
  type Commit,
  type Controller,
  type Plugin,
  type PluginRequest,
  type PluginStatus,
} from 'holdfast';
import type { DevtoolsOptions } from './DevtoolsOptions.ts';
import { MountedComponents } from './MountedComponents.ts';
import { ReduxBridge } from './ReduxBridge.ts';
import { RowEdits } from './RowEdits.ts';
import { Timeline } from './Timeline.ts';
import { Traffic } from './Traffic.ts';

/** The data that the plugin has recorded. */
export interface DevtoolsStatus {
  readonly commits: number;
  /** Requests in flight. */
  readonly requests: number;
  /** Whether offline is simulated. */
  readonly isOffline: boolean;
}

/** The plugin that `devtools` returns: it records commits and requests for inspection. */
export class DevtoolsPlugin implements Plugin {
  readonly name = 'devtools';
  /** The components on screen, by the read that they show. */
  readonly components: MountedComponents = new MountedComponents();
  readonly timeline: Timeline;
  /** Rows that were edited in the inspector. */
  readonly edits: RowEdits = new RowEdits();
  readonly traffic: Traffic;
  /** Changes with every recorded event. */
  readonly status: PluginStatus<DevtoolsStatus>;
  readonly #options: Required<DevtoolsOptions>;
  readonly #listeners = new Set<() => void>();
  #status: DevtoolsStatus | undefined;
  #now: () => number = Date.now;
  #bridge: ReduxBridge | undefined;
  #isOffline = false;
  #isAttached = false;

  constructor({
    name = 'Holdfast',
    state = 'counts',
    maxChanges = 1_000,
    maxCommits = 200,
  }: DevtoolsOptions) {
    this.#options = { name, state, maxChanges, maxCommits };
    this.timeline = new Timeline(maxCommits, maxChanges);
    this.traffic = new Traffic(() => this.#now());
    this.status = {
      get: () => (this.#status ??= this.#read()),
      subscribe: (listener) => {
        // Separate for each call, so that stopping one leaves the others.
        const tell = (): void => listener();
        this.#listeners.add(tell);
        return () => this.#listeners.delete(tell);
      },
    };
  }

  /** Whether offline is simulated. */
  get isOffline(): boolean {
    return this.#isOffline;
  }

  get isAttached(): boolean {
    return this.#isAttached;
  }

  start(controller: Controller): void {
    this.#isAttached = true;
    this.#now = () => controller.now();
    this.#bridge = ReduxBridge.connect(this.#options, () => controller.getState());
  }

  /** @throws NetworkError with status 0 while offline is simulated */
  async request(
    request: PluginRequest,
    next: (request: PluginRequest) => Promise<unknown>,
  ): Promise<unknown> {
    if (this.edits.isEdit(request.endpoint)) return next(request);
    const end = this.traffic.begin(request);
    this.#changed();
    try {
      if (this.#isOffline) throw offlineError(request);
      const response = await next(request);
      end();
      return response;
    } catch (error) {
      end(error);
      throw error;
    } finally {
      this.#changed();
    }
  }

  mounted(key: string, at: Error): () => void {
    return this.components.add(key, at);
  }

  commit(commit: Commit): void {
    if (commit.action.type === 'reset') this.edits.clear();
    this.timeline.record(commit, this.#now());
    this.#bridge?.send(commit);
    this.#changed();
  }

  /**
   * Starts or ends simulating offline: requests fail as without a network, and `offline` and `online` events are
   * dispatched, as by the browser.
   */
  setOffline(isOffline: boolean): void {
    if (isOffline === this.#isOffline) return;
    this.#isOffline = isOffline;
    const scope = globalThis as Partial<typeof globalThis>; // Node has no such events
    if (isOffline || scope.navigator?.onLine !== false)
      scope.dispatchEvent?.(new Event(isOffline ? 'offline' : 'online'));
    this.#changed();
  }

  /** Clears the recorded commits. */
  clearTimeline(): void {
    this.timeline.clear();
    this.#changed();
  }

  stop(): void {
    this.#bridge?.stop();
  }

  #read(): DevtoolsStatus {
    return { commits: this.timeline.count, requests: this.traffic.inFlight, isOffline: this.#isOffline };
  }

  #changed(): void {
    this.#status = undefined;
    for (const listener of [...this.#listeners]) listener();
  }
}

function offlineError({ endpoint, key }: PluginRequest): NetworkError {
  const { method = 'GET' } = endpoint as { readonly method?: string }; // a RestEndpoint has one
  return new NetworkError(`${endpoint.name} was not sent: the devtools simulate offline`, {
    status: 0,
    url: key,
    method,
  });
}
