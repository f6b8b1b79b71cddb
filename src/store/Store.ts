import { ChangeSet, settledChanges } from './changes.ts';
import type { Action, Commit, LayerId, SideRecords } from './Commit.ts';
import type { LayerIndex } from './LayerIndex.ts';
import { Layers } from './Layers.ts';
import { emptyState, type State } from './State.ts';
import type { ListAddition } from './grownRow.ts';
import { transact, type Recipe } from './transaction.ts';

/** What goes with a transaction into its commit. */
export interface CommitOptions {
  readonly action: Action;
  readonly origin: string;
  /** Layers to remove in the same commit. */
  readonly settled?: readonly LayerId[];
  /** Layers to replay, since what their recipes go by has changed. */
  readonly replayed?: readonly LayerId[];
  readonly side?: Commit['side'];
  /**
   * Whether more of its kind follows in the same batch: what is shown changes with the last of them, so that the layers
   * are replayed once.
   */
  readonly isPartial?: boolean;
}

const NOTHING = new ChangeSet();

/** Whom a store tells. */
export interface StoreListener {
  /** The state has changed: what was read from it may be out of date. Comes with each part of a batch. */
  changed(changes: ChangeSet): void;
  /** A commit is complete. Comes once for a batch. */
  committed(commit: Commit): void;
}

/** Holds the current state, changes it by transactions, and tells one listener of each commit. */
export class Store {
  #base: State = emptyState();
  #head: State = this.#base;
  readonly #layers = new Layers();
  readonly #listener: StoreListener;
  #batch: Batch | undefined;
  /** What of the base head does not show yet. */
  #owed = { changes: new ChangeSet(), settled: [] as LayerId[] };

  constructor(listener: StoreListener) {
    this.#listener = listener;
  }

  /** The confirmed state. */
  get base(): State {
    return this.#base;
  }

  /** The rows and results that pending layers stand on. */
  get footprints(): Pick<LayerIndex, 'hasRow' | 'hasResult' | 'writing'> {
    return this.#layers.pending;
  }

  /** What readers see. */
  get head(): State {
    return this.#head;
  }

  /** Changes the confirmed state; returns what the recipe does. One that throws changes nothing. */
  commit<T>(recipe: Recipe<T>, options: CommitOptions): T {
    const { state, changes, additions, value } = transact(this.#base, recipe, { shown: [this.#head] });
    const { settled = [], replayed, isPartial = false } = options;
    this.#base = state;
    const owed = this.#owed;
    const touched = owed.changes.isEmpty ? changes : owed.changes;
    if (isPartial || touched !== changes) owed.changes.append(changes);
    owed.settled.push(...settled);
    if (isPartial) {
      this.#emit(changes, NOTHING, options, additions);
      return value;
    }
    this.#owed = { changes: new ChangeSet(), settled: [] };
    const rebased = this.#layers.rebase(this.#head, state, touched, owed.settled, replayed);
    this.#head = rebased.head;
    this.#emit(changes, rebased.changes, options, additions);
    return value;
  }

  /** Lays a pending transaction over the confirmed state. */
  addLayer(recipe: Recipe, options: CommitOptions): LayerId {
    const { id, head, changes } = this.#layers.push(this.#head, recipe, this.#base);
    this.#head = head;
    this.#emit(NOTHING, changes, options);
    return id;
  }

  /** Takes a layer away; does nothing where that is done already. */
  settle(layer: LayerId, options: CommitOptions): void {
    if (this.#layers.pending.get(layer) !== undefined)
      this.commit(() => undefined, { ...options, settled: [layer] });
  }

  /** Forgets everything. */
  reset(options: CommitOptions): void {
    const settled = this.#layers.pending.clear();
    this.#owed = { changes: new ChangeSet(), settled: [] };
    const [baseChanges, headChanges] = [everything(this.#base), everything(this.#head)];
    this.#base = this.#head = emptyState();
    this.#emit(baseChanges, headChanges, { ...options, settled });
  }

  /** Makes one commit of all that `run` commits; each part has taken effect when it returns. */
  batch<T>(run: () => T, options: CommitOptions): T {
    if (this.#batch !== undefined) return run();
    const batch = (this.#batch = new Batch(options));
    const [base, head] = [this.#base, this.#head];
    try {
      return run();
    } finally {
      this.#batch = undefined;
      const baseChanges = settledChanges(base, this.#base, batch.baseChanges);
      const headChanges = settledChanges(head, this.#head, batch.headChanges);
      this.#tell(baseChanges, headChanges, batch.options(), batch.additions);
    }
  }

  #emit(
    baseChanges: ChangeSet,
    headChanges: ChangeSet,
    options: CommitOptions,
    additions: readonly ListAddition[] = [],
  ): void {
    if (!headChanges.isEmpty) this.#listener.changed(headChanges);
    if (this.#batch === undefined) this.#tell(baseChanges, headChanges, options, additions);
    else this.#batch.add(baseChanges, headChanges, options, additions);
  }

  #tell(
    baseChanges: ChangeSet,
    headChanges: ChangeSet,
    options: CommitOptions,
    additions: readonly ListAddition[],
  ): void {
    const { action, origin, settled = [], side = {} } = options;
    const hasSide = Object.keys(side).length > 0;
    const isEvent = settled.length > 0 || additions.length > 0 || hasSide;
    if (baseChanges.isEmpty && headChanges.isEmpty && !isEvent) return;
    this.#listener.committed({
      action,
      origin,
      base: this.#base,
      head: this.#head,
      baseChanges,
      headChanges,
      additions,
      settled,
      side,
    });
  }
}

/** Gathers several transactions into one commit. */
class Batch {
  readonly baseChanges = new ChangeSet();
  readonly headChanges = new ChangeSet();
  readonly additions: ListAddition[] = [];
  readonly #options: CommitOptions;
  readonly #settled = new Set<LayerId>();
  readonly #side: Record<string, SideRecords> = {};

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  add(
    baseChanges: ChangeSet,
    headChanges: ChangeSet,
    options: CommitOptions,
    additions: readonly ListAddition[],
  ): void {
    this.additions.push(...additions);
    this.baseChanges.append(baseChanges);
    this.headChanges.append(headChanges);
    for (const layer of options.settled ?? []) this.#settled.add(layer);
    for (const [plugin, records] of Object.entries(options.side ?? {}))
      this.#side[plugin] = [...(this.#side[plugin] ?? []), ...records];
  }

  options(): CommitOptions {
    return { ...this.#options, settled: [...this.#settled], side: this.#side };
  }
}

function everything(state: State): ChangeSet {
  const changes = new ChangeSet();
  for (const [name, table] of Object.entries(state.tables)) {
    for (const [pk, row] of table.entries()) changes.row(name, pk, row);
  }
  for (const [key, result] of state.results.entries()) changes.result(key, result);
  return changes;
}
