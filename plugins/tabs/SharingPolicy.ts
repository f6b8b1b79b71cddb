import { hasOwnKey, HoldfastError, references, type Controller, type State } from 'holdfast';
import type { Contents } from './message.ts';
import type { ChangeAccumulator } from './ChangeAccumulator.ts';

/** Decides what is shared with other tabs. */
export class SharingPolicy {
  readonly #controller: Controller;
  readonly #report: (error: HoldfastError) => void;
  /** Tables without an explicit key. */
  readonly #refused = new Set<string>();

  constructor(controller: Controller, report: (error: HoldfastError) => void) {
    this.#controller = controller;
    this.#report = report;
  }

  /** The current values of changed records, without those that must not be shared. */
  contents(changes: ChangeAccumulator, state: State): Contents {
    const rows: Contents['rows'][number][] = [];
    for (const [table, pks] of changes.rows) {
      if (this.#isRefused(table)) continue;
      for (const [pk, over] of pks) {
        const row = state.tables[table]?.get(pk);
        if (row !== undefined) rows.push(over === undefined ? [table, pk, row] : [table, pk, row, over]);
      }
    }
    const results: Contents['results'][number][] = [];
    for (const key of changes.results) {
      const result = state.results.get(key);
      // The request may have failed since.
      if (result !== undefined && result.error === undefined && !this.#namesRefused(key, result.value))
        results.push([key, result]);
    }
    const side = [...changes.side].flatMap(([plugin, records]) =>
      [...records].map(([key, record]) => [plugin, key, record] as const),
    );
    const listChanges = changes.listChanges.filter(({ table }) => !this.#isRefused(table));
    return { rows, results, listChanges, side };
  }

  /** The same without values that cannot be cloned. Clones everything, so it is only used after a failure. */
  clonable({ rows, results, listChanges, side }: Contents): Contents {
    return {
      rows: rows.filter(([table, pk, row]) => this.#isClonable(row.value, `${table} ${JSON.stringify(pk)}`)),
      results: results.filter(([key, { value }]) =>
        this.#isClonable(value, `the result of ${JSON.stringify(key)}`),
      ),
      // Consists of text only.
      listChanges,
      side: side.filter(([plugin, key, record]) =>
        this.#isClonable(record, `the record ${JSON.stringify(key)} of ${plugin}`),
      ),
    };
  }

  #isClonable(value: unknown, name: string): boolean {
    try {
      structuredClone(value);
      return true;
    } catch (cause) {
      this.#report(
        new HoldfastError(
          'HF_ROW_NOT_CLONABLE',
          `${name} holds a value that cannot be cloned, such as a function, so other tabs do not get it; store plain data`,
          { cause },
        ),
      );
      return false;
    }
  }

  /**
   * Whether a table is named by its class name, which minifiers change, so a tab with another build would not know
   * it.
   */
  #isRefused(table: string): boolean {
    const withoutKey = this.#controller.entitiesOf(table).find((entity) => !hasOwnKey(entity));
    if (withoutKey === undefined) return false;
    this.#refused.add(table);
    this.#report(
      new HoldfastError(
        'HF_KEY_DEFAULTED',
        `${withoutKey.name} is shared with other tabs, but its key is its class name, which minifiers change; ` +
          `set one explicitly: static key = '${withoutKey.name}'`,
      ),
    );
    return true;
  }

  /** Without its rows, a result would look as if they were deleted. */
  #namesRefused(key: string, value: unknown): boolean {
    if (this.#refused.size === 0) return false;
    let found = false;
    references(this.#controller.schemaOf(key), value, (entity) => {
      found ||= this.#refused.has(entity.key);
    });
    return found;
  }
}
