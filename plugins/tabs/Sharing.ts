import { hasOwnKey, HoldfastError, references, type Controller, type State } from 'holdfast';
import type { Contents } from './message.ts';
import type { Touched } from './Touched.ts';

/** Decides what other tabs may have. */
export class Sharing {
  readonly #controller: Controller;
  readonly #tell: (error: HoldfastError) => void;
  /** Tables with a key of their own. */
  readonly #named = new Set<string>();
  /** Tables without. */
  readonly #refused = new Set<string>();

  constructor(controller: Controller, tell: (error: HoldfastError) => void) {
    this.#controller = controller;
    this.#tell = tell;
  }

  /** What was touched, as it stands now, without what must not be shared. */
  contents(touched: Touched, state: State): Contents {
    const rows: Contents['rows'][number][] = [];
    for (const [table, pks] of touched.rows) {
      if (this.#isRefused(table)) continue;
      for (const [pk, over] of pks) {
        const row = state.tables[table]?.get(pk);
        if (row !== undefined) rows.push(over === undefined ? [table, pk, row] : [table, pk, row, over]);
      }
    }
    const results: Contents['results'][number][] = [];
    for (const key of touched.results) {
      const result = state.results.get(key);
      // It may have failed since.
      if (result !== undefined && result.error === undefined && !this.#namesRefused(key, result.value))
        results.push([key, result]);
    }
    const side = [...touched.side].flatMap(([plugin, records]) =>
      [...records].map(([key, record]) => [plugin, key, record] as const),
    );
    const additions = touched.additions.filter(({ table }) => !this.#isRefused(table));
    return { rows, results, additions, side };
  }

  /** The same without what cannot be cloned. Clones everything: for the case of need only. */
  clonable({ rows, results, additions, side }: Contents): Contents {
    return {
      rows: rows.filter(([table, pk, row]) => this.#keeps(row.value, `${table} ${JSON.stringify(pk)}`)),
      results: results.filter(([key, { value }]) =>
        this.#keeps(value, `the result of ${JSON.stringify(key)}`),
      ),
      // Of text alone.
      additions,
      side: side.filter(([plugin, key, record]) =>
        this.#keeps(record, `the record ${JSON.stringify(key)} of ${plugin}`),
      ),
    };
  }

  #keeps(value: unknown, name: string): boolean {
    try {
      structuredClone(value);
      return true;
    } catch (cause) {
      this.#tell(
        new HoldfastError(
          'HF_ROW_NOT_CLONABLE',
          `${name} holds a value that cannot be cloned, such as a function, so other tabs do not get it; store plain data`,
          { cause },
        ),
      );
      return false;
    }
  }

  /** Whether a table is named by a class name: minifiers change it, so another build's tab would not know it. */
  #isRefused(table: string): boolean {
    if (this.#named.has(table)) return false;
    const classes = this.#controller.entitiesOf(table);
    const unnamed = classes.find((entity) => !hasOwnKey(entity));
    if (unnamed === undefined) {
      if (classes.length > 0) this.#named.add(table);
      return false;
    }
    this.#refused.add(table);
    this.#tell(
      new HoldfastError(
        'HF_KEY_DEFAULTED',
        `${unnamed.name} is to be shared with other tabs, but its key is its class name, which minifiers change; ` +
          `give it one of its own: static key = '${unnamed.name}'`,
      ),
    );
    return true;
  }

  /** A result without the rows that it names would read as if they had been deleted. */
  #namesRefused(key: string, value: unknown): boolean {
    if (this.#refused.size === 0) return false;
    let found = false;
    references(this.#controller.schemaOf(key), value, (entity) => {
      found ||= this.#refused.has(entity.key);
    });
    return found;
  }
}
