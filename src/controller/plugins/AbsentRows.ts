import type { Store } from '../../store/Store.ts';
import type { Schedule } from '../schedule.ts';
import type { PluginHost } from './PluginHost.ts';

/** Identifies a row. */
export type RowName = readonly [table: string, pk: string];

/** What it needs of its controller. */
interface AbsentRowsDeps {
  readonly schedule: Schedule;
  readonly plugins: PluginHost;
  readonly store: Store;
}

/**
 * The rows that readers lack in memory and plugins may have on disk: a response may name an author whom only an earlier
 * visit has loaded, and so may a change of another tab. The plugins are asked for each row once.
 */
export class AbsentRows {
  readonly #deps: AbsentRowsDeps;
  readonly #restore: (rows: readonly RowName[]) => Promise<void>;
  /** What the plugins have not been asked for yet. */
  readonly #wanted = new Map<string, RowName>();
  /** What they were asked for, whether or not any of them has it. */
  readonly #asked = new Set<string>();
  #isScheduled = false;
  /** The restores in progress. */
  #restoring: Promise<void> | undefined;

  /** @param restore - asks the plugins for rows, with everything they refer to */
  constructor(deps: AbsentRowsDeps, restore: (rows: readonly RowName[]) => Promise<void>) {
    this.#deps = deps;
    this.#restore = restore;
  }

  /** A reader lacks a row: it is asked for in the background, after what is being restored anyway. */
  record(table: string, pk: string): void {
    const { plugins, schedule } = this.#deps;
    const id = idOf([table, pk]);
    if (this.#asked.has(id)) return;
    this.#wanted.set(id, [table, pk]);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const restoreLater = (): void => {
      schedule(() => {
        this.#isScheduled = false;
        void this.restore();
      }, 0);
    };
    void plugins.restored.then(restoreLater, restoreLater);
  }

  /** The plugins are being asked for these rows. */
  markAsked(rows: readonly RowName[]): void {
    for (const row of rows) {
      const id = idOf(row);
      this.#wanted.delete(id);
      this.#asked.add(id);
    }
  }

  /**
   * Restores what readers lack, without waiting for anything else.
   *
   * @returns resolves once it is in memory, as far as a plugin has it; undefined if nothing is lacking. Never rejects
   */
  restore(): Promise<void> | undefined {
    const { plugins, store } = this.#deps;
    if (plugins.isStopped) return undefined;
    const wanted = [...this.#wanted.values()];
    this.markAsked(wanted);
    const rows = wanted.filter(([table, pk]) => store.head.tables[table]?.get(pk) === undefined);
    if (rows.length === 0) return this.#restoring;
    // If a class of the app throws, its rows stay absent: the fetches that wait here may be of other entities.
    const restoring = Promise.allSettled([this.#restoring, this.#restore(rows)]).then(() => {
      if (this.#restoring === restoring) this.#restoring = undefined;
    });
    return (this.#restoring = restoring);
  }

  /** Memory has deleted rows, which the plugins may have. */
  forget(): void {
    this.#asked.clear();
  }
}

/** A row's name as one text. */
export const idOf = (row: RowName): string => JSON.stringify(row);
