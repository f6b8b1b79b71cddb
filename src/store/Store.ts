import { ChangeSet, netChanges } from './changes.ts';
import type { Action, Commit, LayerId, SideRecords } from './Commit.ts';
import type { LayerIndex } from './LayerIndex.ts';
import { Layers } from './Layers.ts';
import { noNestedWrites } from './noNestedWrites.ts';
import { emptyState, type State } from './State.ts';
import type { ListChange } from './lazyListRow.ts';
import { transact, type Recipe } from './transaction.ts';

/** Options that become part of the commit. */
export interface CommitOptions {
  readonly action: Action;
  readonly origin: string;
  /** Layers to remove in the same commit. */
  readonly settled?: readonly LayerId[];
  /** Layers to replay because the inputs of their recipes have changed. */
  readonly replayed?: readonly LayerId[];
  readonly side?: Commit['side'];
  /** Whether another commit follows in the same batch. Head is then rebased once, with the last of them. */
  readonly deferRebase?: boolean;
}

const NO_CHANGES = new ChangeSet();

const NO_LAYERS: readonly LayerId[] = [];

const NO_SIDE: Commit['side'] = {};

/** Receives the store's notifications. */
interface StoreListener {
  /** The state has changed; values read from it may be outdated. Called for each part of a batch. */
  changed(changes: ChangeSet): void;
  /** A commit is complete. Called once for a batch. */
  committed(commit: Commit): void;
}

/** Holds the current state, changes it by transactions, and notifies one listener of each commit. */
export class Store {
  #base: State = emptyState();
  #head: State = this.#base;
  readonly #layers = new Layers();
  readonly #listener: StoreListener;
  #batch: CommitBatch | undefined;
  #resets = 0;
  /** Changes of the base that head does not show yet, and the layers that were removed with them. */
  #deferredRebase: { readonly changes: ChangeSet; readonly settled: LayerId[] } | undefined;

  constructor(listener: StoreListener) {
    this.#listener = listener;
  }

  /** The confirmed state. */
  get base(): State {
    return this.#base;
  }

  /** The rows and results that pending layers depend on. */
  get footprints(): Pick<LayerIndex, 'hasRow' | 'hasResult' | 'writing'> {
    return this.#layers.pending;
  }

  /** What readers see. */
  get head(): State {
    return this.#head;
  }

  /** Changes the confirmed state and returns the recipe's result. A recipe that throws changes nothing. */
  commit<T>(given: Recipe<T>, options: CommitOptions): T {
    // A read during a write may normalize rows (`apply`), which changes nothing for the app.
    const recipe =
      process.env.NODE_ENV === 'production' || options.action.type === 'apply'
        ? given
        : noNestedWrites(this, given);
    const resets = this.#resets;
    const { state, changes, listChanges, value } = transact(this.#base, recipe, {
      visibleStates: [this.#head],
    });
    // Code of the app that the recipe calls, such as `update`, has reset the store.
    if (resets !== this.#resets) return value;
    const { settled = NO_LAYERS, replayed, deferRebase = false } = options;
    this.#base = state;
    if (deferRebase) this.#deferredRebase ??= { changes: new ChangeSet(), settled: [] };
    const deferred = this.#deferredRebase;
    deferred?.changes.append(changes);
    for (const layer of settled) deferred?.settled.push(layer);
    if (deferRebase) {
      this.#emit(changes, NO_CHANGES, options, listChanges);
      return value;
    }
    this.#deferredRebase = undefined;
    const touched = deferred ?? { changes, settled };
    const rebased = this.#layers.rebase(this.#head, state, touched.changes, touched.settled, replayed);
    this.#head = rebased.head;
    this.#emit(changes, rebased.changes, options, listChanges);
    return value;
  }

  /** Adds an optimistic layer over the confirmed state. */
  addLayer(given: Recipe, options: CommitOptions): LayerId {
    const recipe = process.env.NODE_ENV === 'production' ? given : noNestedWrites(this, given);
    const { id, head, changes } = this.#layers.push(this.#head, recipe, this.#base);
    this.#head = head;
    this.#emit(NO_CHANGES, changes, options);
    return id;
  }

  /** Removes a layer, if it is still pending. */
  settle(layer: LayerId, options: CommitOptions): void {
    if (this.#layers.pending.get(layer) !== undefined)
      this.commit(() => undefined, { ...options, settled: [layer] });
  }

  /** Clears the state and all layers. */
  reset(options: CommitOptions): void {
    this.#resets += 1;
    const settled = this.#layers.pending.clear();
    this.#deferredRebase = undefined;
    const [baseChanges, headChanges] = [allRecords(this.#base), allRecords(this.#head)];
    this.#base = this.#head = emptyState();
    this.#emit(baseChanges, headChanges, { ...options, settled });
  }

  /** Runs `run` and makes one commit of all its commits. Each part takes effect at once. */
  batch<T>(run: () => T, options: CommitOptions): T {
    if (this.#batch !== undefined) return run();
    const batch = (this.#batch = new CommitBatch(options));
    const [base, head] = [this.#base, this.#head];
    try {
      return run();
    } finally {
      this.#batch = undefined;
      const baseChanges = netChanges(base, this.#base, batch.baseChanges);
      const headChanges = netChanges(head, this.#head, batch.headChanges);
      this.#notify(baseChanges, headChanges, batch.options(), batch.listChanges);
    }
  }

  #emit(
    baseChanges: ChangeSet,
    headChanges: ChangeSet,
    options: CommitOptions,
    listChanges: readonly ListChange[] = [],
  ): void {
    if (!headChanges.isEmpty) this.#listener.changed(headChanges);
    if (this.#batch === undefined) this.#notify(baseChanges, headChanges, options, listChanges);
    else this.#batch.add(baseChanges, headChanges, options, listChanges);
  }

  #notify(
    baseChanges: ChangeSet,
    headChanges: ChangeSet,
    options: CommitOptions,
    listChanges: readonly ListChange[],
  ): void {
    const { action, origin, settled = NO_LAYERS, side = NO_SIDE } = options;
    const hasSide = Object.keys(side).length > 0;
    const isEvent = settled.length > 0 || listChanges.length > 0 || hasSide;
    if (baseChanges.isEmpty && headChanges.isEmpty && !isEvent) return;
    this.#listener.committed({
      action,
      origin,
      base: this.#base,
      head: this.#head,
      baseChanges,
      headChanges,
      listChanges,
      settled,
      side,
    });
  }
}

/** Merges several transactions into one commit. */
class CommitBatch {
  readonly baseChanges = new ChangeSet();
  readonly headChanges = new ChangeSet();
  readonly listChanges: ListChange[] = [];
  readonly #options: CommitOptions;
  readonly #settled = new Set<LayerId>();
  readonly #side: Record<string, SideRecords[number][]> = {};

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  add(
    baseChanges: ChangeSet,
    headChanges: ChangeSet,
    options: CommitOptions,
    listChanges: readonly ListChange[],
  ): void {
    for (const change of listChanges) this.listChanges.push(change);
    this.baseChanges.append(baseChanges);
    this.headChanges.append(headChanges);
    for (const layer of options.settled ?? []) this.#settled.add(layer);
    for (const [plugin, records] of Object.entries(options.side ?? {}))
      for (const record of records) (this.#side[plugin] ??= []).push(record);
  }

  options(): CommitOptions {
    return { ...this.#options, settled: [...this.#settled], side: this.#side };
  }
}

function allRecords(state: State): ChangeSet {
  const changes = new ChangeSet();
  for (const [name, table] of Object.entries(state.tables)) {
    for (const [pk, row] of table.entries()) changes.row(name, pk, row);
  }
  for (const [key, result] of state.results.entries()) changes.result(key, result);
  return changes;
}
